import type { Priority } from './load-limit.ts';
import type { WorkReader } from './measured-work.ts';

/** How many may begin in a second: at most, at the beginning of a burst, and however much paywalls suffer. */
const fastest = 1_000;
const usual = 400;
const slowest = 50;
const windowMs = 250;
const fewestPaywalls = 5;
/** Paywalls suffer when half of them take so many times as long as they do in calm. */
const suffering = 1.5;
/** So much of what calm is, is learned from each calm window: from what lasts for half a minute. */
const learning = 0.01;
const slowing = 0.5;
const speedingUp = 1.1;
/** In a window without paywalls: nobody is there to suffer. */
const speedingUpAlone = 2;
/** A store that is kept waiting longer gives up, and comes again. */
const longestWaitMs = 5_000;

/**
 * The pace of work that its senders can wait with, such as stores' notifications: as fast as may be, but slower while
 * paywalls, which people wait for, take longer than in calm. The rate is halved in each window of a quarter of a second
 * in which they did, and rises by a tenth or more in any other that had use for it; unused it goes back to the usual, so
 * that a burst does not begin at a rate that was never tried.
 *
 * At a pace below the usual they begin together, once a window: so services behind wake once for several, and between two
 * such moments paywalls have the machine for themselves.
 *
 * Calm is what paywalls take while hardly a notification comes, or comes at a pace that nobody feels: whatever slows
 * them then is not mended by making way.
 *
 * A paywall that ended at its deadline counts for as long as it took, as one that is still waited for counts against
 * speeding up: a person waits, and it is what a burst that takes the whole machine looks like. In an outage of selection
 * the stores' news are slow for no use, until what lasts is taken for calm; but they are told again, and a person is not.
 * Pure: times are handed in, in milliseconds from any start.
 */
export class YieldingPace implements WorkReader {
  #rate = usual;
  #calmMs = Infinity;
  #begun = 0;
  #waiting = 0;
  #took: number[] = [];
  #taken = 0;
  #nextAt = 0;

  /** Beginnings a second, at present. */
  get rate(): number {
    return this.#rate;
  }

  /** Whether all that wait for the next window begin at one moment, and not each at its own. */
  get beginTogether(): boolean {
    return this.#rate < usual;
  }

  enter(priority: Priority): void {
    if (priority === 'paywall') this.#waiting += 1;
  }

  leave(priority: Priority, tookMs: number | null, now: number): void {
    if (priority !== 'paywall') return;
    this.#turn(now);
    this.#waiting -= 1;
    if (tookMs !== null) this.#took.push(tookMs);
  }

  /** A place in the line. @returns milliseconds until its work may begin; null if the line is too long to stand in */
  waitMs(now: number): number | null {
    this.#turn(now);
    const at = Math.max(now, this.#nextAt);
    if (at - now > longestWaitMs) return null;
    this.#taken += 1;
    this.#nextAt = at + 1_000 / this.#rate;
    return this.beginTogether ? windowMs * Math.ceil(at / windowMs) - now : at - now;
  }

  #turn(now: number): void {
    if (now - this.#begun < windowMs) return;
    this.#rate = this.#nextRate();
    this.#begun = now;
    this.#took = [];
    this.#taken = 0;
  }

  #nextRate(): number {
    if (this.#suffer()) return Math.max(slowest, slowing * this.#rate);
    const isAlone = this.#took.length === 0 && this.#waiting === 0;
    const faster = Math.min(fastest, (isAlone ? speedingUpAlone : speedingUp) * this.#rate);
    const isUsed = this.#taken >= (this.#rate * windowMs) / 2_000 || this.#rate < usual;
    return isUsed ? faster : Math.max(usual, slowing * this.#rate);
  }

  #suffer(): boolean {
    if (this.#took.length < fewestPaywalls) return false;
    const median = this.#took.sort((a, b) => a - b)[this.#took.length >> 1] ?? 0;
    const isCalm = this.#taken <= (2 * slowest * windowMs) / 1_000;
    if (this.#calmMs === Infinity) this.#calmMs = median;
    else if (isCalm || median < this.#calmMs) this.#calmMs += learning * (median - this.#calmMs);
    return !isCalm && median > suffering * this.#calmMs;
  }
}
