/** The time, handed to whatever needs it. */
export abstract class Clock {
  /** Milliseconds since the epoch. */
  abstract now(): number;
}

/** The machine's clock: the one place that reads it. */
export class SystemClock extends Clock {
  override now(): number {
    return Date.now();
  }
}

/** A clock for tests: it stands until it is moved. */
export class ManualClock extends Clock {
  #now: number;

  /** @param now milliseconds since the epoch */
  constructor(now: number) {
    super();
    this.#now = now;
  }

  override now(): number {
    return this.#now;
  }

  advance(ms: number): void {
    this.#now += ms;
  }

  set(now: number): void {
    this.#now = now;
  }
}
