/** The time, handed to whatever needs it. */
export abstract class Clock {
  /** Milliseconds since the epoch. Under simulation it is moved: what happens, happens at this time. */
  abstract now(): number;

  /**
   * The machine's own time, in milliseconds since the epoch, which no simulation moves: for what is compared with the
   * clock of a broker or a database.
   */
  machineNow(): number {
    return this.now();
  }

  /**
   * Whole milliseconds that pass evenly, also while the machine's clock is set: for deadlines, and for how long
   * something takes. Only one of the same process may be compared with it.
   */
  steadyNow(): number {
    return this.machineNow();
  }
}

/** The machine's clock: the one place that reads it. */
export class SystemClock extends Clock {
  override now(): number {
    return Date.now();
  }

  override steadyNow(): number {
    return Math.floor(performance.timeOrigin + performance.now());
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
