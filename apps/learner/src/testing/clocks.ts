import { ManualClock } from '@paywright/platform';

/** The time of events stands until it is moved; the machine's goes on, and so does what passes evenly. */
export class EventClock extends ManualClock {
  override machineNow = () => performance.now();
}

/** A clock that somebody corrects with `set`; time passes with `advance` alone. */
export class CorrectedClock extends ManualClock {
  #steady = 0;

  override steadyNow(): number {
    return this.#steady;
  }

  override advance(ms: number): void {
    super.advance(ms);
    this.#steady += ms;
  }
}
