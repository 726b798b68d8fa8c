import type { ShownRecord, Side } from './learning-record.ts';

/** An exposure on its way through the ages at which more of it counts. */
export interface WaitingExposure {
  readonly id: string;
  readonly at: number;
  /** When the log had it: ages count from there, so that they come in one order. Until the next tick it may be later. */
  arrivedAt: number;
  arm: number;
  readonly active: Int32Array;
  readonly side: Side;
  readonly share: number;
  readonly logValue: number | null;
  /** Its starts within a day, as the model predicted before anything was learned of it. */
  readonly predicted: number;
  /** The share of it that counts where promises are judged. */
  given: number;
  /** What its data count: less than 1 since its arm's alarm rang, or its products changed. */
  weight: number;
  starts: number;
  /** How late its first start came, null without one: see `delayBin`. */
  delayBin: number | null;
  /** Whether AI and Baseline are compared with it: from the age of 24 h on. */
  isCompared: boolean;
}

export interface WaitingState {
  readonly passed: readonly number[];
  readonly exposures: readonly WaitingExposure[];
}

/**
 * Exposures in the order in which they came, and how many of them have passed each age. The oldest leave with the
 * last age.
 */
export class WaitingExposures {
  readonly #agesMs: readonly number[];
  readonly #byId = new Map<string, WaitingExposure>();
  #line: WaitingExposure[];
  /** How many have left the line's front since its array was cut. */
  #gone: number;
  /** How many came since the last tick: those at the line's end. */
  #fresh: number;
  /** By age: how many of the line have passed it. */
  readonly #passed: number[];
  #newestAt: number;

  constructor(agesMs: readonly number[], state?: WaitingState) {
    this.#agesMs = agesMs;
    this.#line = [...(state?.exposures ?? [])];
    this.#gone = 0;
    // Nobody knows which of them a tick has found.
    this.#fresh = this.#line.length;
    this.#passed = [...(state?.passed ?? agesMs.map(() => 0))];
    for (const exposure of this.#line) this.#byId.set(exposure.id, exposure);
    this.#newestAt = this.#line.reduce((latest, { at }) => Math.max(latest, at), -Infinity);
  }

  get(id: string): WaitingExposure | undefined {
    return this.#byId.get(id);
  }

  /**
   * When the latest of them was seen, in milliseconds since the epoch; -Infinity while there is none. Others may come
   * behind it.
   */
  get newestAt(): number {
    return this.#newestAt;
  }

  add(exposure: WaitingExposure): void {
    this.#byId.set(exposure.id, exposure);
    this.#line.push(exposure);
    this.#fresh++;
    this.#newestAt = Math.max(this.#newestAt, exposure.at);
  }

  /** Gives the exposures of an arm that share of their weight, and another arm (or the same). */
  discount(arm: number, to: number, share: number): void {
    for (let at = this.#gone; at < this.#line.length; at++) {
      const exposure = this.#line[at]!;
      if (exposure.arm !== arm) continue;
      exposure.arm = to;
      exposure.weight *= share;
    }
  }

  /** Those that wait, in the order of arrival. */
  *[Symbol.iterator](): Iterator<WaitingExposure> {
    for (let at = this.#gone; at < this.#line.length; at++) yield this.#line[at]!;
  }

  /** Calls for every exposure that passes an age by then, age after age, in the order of arrival. */
  advance(now: number, pass: (exposure: WaitingExposure, age: number) => void): void {
    this.#arriveBy(now);
    this.#agesMs.forEach((ageMs, age) => {
      for (;;) {
        const exposure = this.#line[this.#passed[age]!];
        if (exposure === undefined || exposure.arrivedAt + ageMs > now) break;
        this.#passed[age]!++;
        pass(exposure, age);
      }
    });
    this.#leave();
  }

  state(): WaitingState {
    return { passed: this.#passed.map((passed) => passed - this.#gone), exposures: this.#line.slice(this.#gone) };
  }

  /** All that is here has come by now: one that a clock put ahead would hold up whatever is behind it. */
  #arriveBy(now: number): void {
    for (let at = this.#line.length - this.#fresh; at < this.#line.length; at++) {
      const exposure = this.#line[at]!;
      exposure.arrivedAt = Math.min(exposure.arrivedAt, now);
    }
    this.#fresh = 0;
  }

  /** Forgets those that passed the last age; the array is cut once half of it is gone. */
  #leave(): void {
    const left = this.#passed.at(-1) ?? 0;
    for (; this.#gone < left; this.#gone++) this.#byId.delete(this.#line[this.#gone]!.id);
    if (this.#gone < 1_024 || this.#gone < this.#line.length / 2) return;
    this.#line = this.#line.slice(this.#gone);
    this.#passed.forEach((passed, age) => (this.#passed[age] = passed - this.#gone));
    this.#gone = 0;
  }
}

/** What counts of an exposure whose paywall sells other products by now, and for which arm. @param heirs see `ArmTable` */
export function passOn(exposure: WaitingExposure, heirs: readonly number[], share: number): void {
  for (const heir of heirs) {
    exposure.arm = heir;
    exposure.weight *= share;
  }
}

export const waiting = (
  shown: Omit<ShownRecord, 'type'>,
  arrivedAt: number,
  arm: number,
  active: Int32Array,
  predicted: number,
): WaitingExposure => {
  const { id, at, side, share, logValue } = shown;
  return {
    id,
    at,
    arrivedAt,
    arm,
    active: active.slice(),
    predicted,
    side,
    share,
    logValue,
    given: 0,
    weight: 1,
    starts: 0,
    delayBin: null,
    isCompared: false,
  };
};
