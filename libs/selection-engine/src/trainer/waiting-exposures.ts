import { hash64 } from '../numbers/hash64.ts';
import { IdIndex } from './id-index.ts';
import { WaitingColumns, type Shown } from './waiting-columns.ts';
import { discount, type NewExposure, type WaitingExposure } from './waiting-exposure.ts';

export interface WaitingState {
  /** By age: how many of the line have passed it. */
  readonly passed: readonly number[];
  /** The line. */
  readonly exposures: WaitingColumns;
}

/** Those that have left are cut off once there are so many, and they are such a part of all: each cut moves the others. */
const [fewestCut, leastCut] = [1_024, 1 / 8];

/**
 * Exposures in the order in which they came, and how many of them have passed each age. The oldest leave with the
 * last age.
 */
export class WaitingExposures implements Iterable<WaitingExposure> {
  readonly #agesMs: readonly number[];
  readonly #line: WaitingColumns;
  readonly #index: IdIndex;
  /** How many have left the line's front since it was cut. */
  #gone = 0;
  /** How many came since the last tick: those at the line's end. */
  #fresh: number;
  readonly #passed: number[];
  #newestAt = -Infinity;

  /** @param state taken over, not copied */
  constructor(agesMs: readonly number[], state?: WaitingState) {
    this.#agesMs = agesMs;
    this.#line = state?.exposures ?? new WaitingColumns();
    this.#index = new IdIndex(this.#line);
    // Nobody knows which of them a tick has found.
    this.#fresh = this.#line.count;
    this.#passed = [...(state?.passed ?? agesMs.map(() => 0))];
    for (const { at } of this.#line) this.#newestAt = Math.max(this.#newestAt, at);
  }

  /** The exposure as it waits here; until the next one comes, or time passes. */
  get(id: string): WaitingExposure | undefined {
    const slot = this.#index.find(hash64(id));
    return slot < this.#gone ? undefined : this.#line.at(slot);
  }

  get size(): number {
    return this.#line.count - this.#gone;
  }

  /**
   * When the latest of them was seen, in milliseconds since the epoch; -Infinity while there is none. Others may come
   * behind it.
   */
  get newestAt(): number {
    return this.#newestAt;
  }

  add(exposure: NewExposure): void {
    this.#index.add(this.#line.push(exposure));
    this.#fresh++;
    this.#newestAt = Math.max(this.#newestAt, exposure.at);
  }

  /** Gives the exposures of an arm less weight, and another arm (or the same). */
  discount(arm: number, to: number): void {
    for (const exposure of this) {
      if (exposure.arm !== arm) continue;
      exposure.arm = to;
      discount(exposure);
    }
  }

  /** Those that wait, in the order of arrival. */
  [Symbol.iterator](): Iterator<WaitingExposure> {
    return this.#line.from(this.#gone);
  }

  /** Calls for every exposure that passes an age by then, age after age, in the order of arrival. */
  advance(now: number, pass: (exposure: WaitingExposure, age: number) => void): void {
    this.#arriveBy(now);
    const { count } = this.#line;
    this.#agesMs.forEach((ageMs, age) => {
      for (let slot = this.#passed[age]!; slot < count; slot = ++this.#passed[age]!) {
        const exposure = this.#line.at(slot);
        if (exposure.arrivedAt + ageMs > now) break;
        pass(exposure, age);
      }
    });
    this.#gone = this.#passed.at(-1) ?? 0;
    if (this.#gone >= fewestCut && this.#gone >= leastCut * this.#line.count) this.#cut();
  }

  /** Of those that wait. Shared, not copied. */
  shown(): Shown {
    return this.#line.shown(this.#gone);
  }

  /** Shared, not copied. */
  state(): WaitingState {
    if (this.#gone > 0) this.#cut();
    return { passed: [...this.#passed], exposures: this.#line };
  }

  /** All that is here has come by now: one that a clock put ahead would hold up whatever is behind it. */
  #arriveBy(now: number): void {
    for (let slot = this.#line.count - this.#fresh; slot < this.#line.count; slot++) {
      const exposure = this.#line.at(slot);
      exposure.arrivedAt = Math.min(exposure.arrivedAt, now);
    }
    this.#fresh = 0;
  }

  #cut(): void {
    this.#line.dropFirst(this.#gone);
    this.#passed.forEach((passed, age) => (this.#passed[age] = passed - this.#gone));
    this.#gone = 0;
    this.#index.rebuild();
  }
}
