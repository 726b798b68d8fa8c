/** Whole numbers, both at least 1. */
export interface Limit {
  readonly perSecond: number;
  /** What may come at once after a rest. */
  readonly burst: number;
}

/** In a token. As many flow in within a millisecond as tokens within a second, so every level is a whole number. */
const drops = 1_000;

/**
 * A token bucket over a clock that is handed in, in whole milliseconds: within any t seconds at most
 * `burst + perSecond · t` are taken. Exact, since it counts in whole numbers. A clock that goes back adds nothing, and
 * goes on filling from where it went.
 */
export class TokenBucket {
  readonly #limit: Limit;
  #level: number;
  #filledAt: number;

  /** Full. */
  constructor(limit: Limit, now: number) {
    this.#limit = limit;
    this.#level = limit.burst * drops;
    this.#filledAt = now;
  }

  /** Takes a token. @returns 0, or if there was none, the milliseconds until there is one */
  take(now: number): number {
    const waitMs = this.waitMs(now);
    if (waitMs === 0) this.#level -= drops;
    return waitMs;
  }

  /** Milliseconds until a token is there; takes none. */
  waitMs(now: number): number {
    const { perSecond, burst } = this.#limit;
    this.#level = Math.min(burst * drops, this.#level + Math.max(0, now - this.#filledAt) * perSecond);
    this.#filledAt = now;
    return this.#level >= drops ? 0 : Math.ceil((drops - this.#level) / perSecond);
  }
}
