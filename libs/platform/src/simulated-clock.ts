import { Clock, SystemClock } from './clock.ts';

/**
 * The machine's clock, and an offset that only grows: time can be moved on, and never goes backwards, not even where
 * the machine's own clock is set back.
 */
export class SimulatedClock extends Clock {
  readonly #machine: Clock;
  #offset = 0;
  #last = Number.NEGATIVE_INFINITY;

  constructor(machine: Clock = new SystemClock()) {
    super();
    this.#machine = machine;
  }

  override now(): number {
    this.#last = Math.max(this.#last, this.#machine.now() + this.#offset);
    return this.#last;
  }

  override machineNow(): number {
    return this.#machine.now();
  }

  override steadyNow(): number {
    return this.#machine.steadyNow();
  }

  /** How far this clock is ahead of the machine's, in milliseconds. */
  get offset(): number {
    return this.#offset;
  }

  /** Takes the offset over, if it is greater than the one that holds. @returns the one that holds now */
  moveTo(offset: number): number {
    this.#offset = Math.max(this.#offset, offset);
    return this.#offset;
  }
}
