import { log } from '../numbers/log.ts';

const ratio = 1.5;
const threshold = 8;
const logRatio = log(ratio);
/** A new arm, or one whose alarm rang, is learned first: until that many starts were predicted, none rings. */
const learnedAfter = 100;
/** The model's word on an arm counts like that many of its starts. */
const pseudoStarts = 20;

/** Two sums of log likelihood ratios, and the starts that came and were predicted since the last alarm. */
export type DriftState = readonly [above: number, below: number, starts: number, predicted: number];

/**
 * A two-sided sequential test that an arm starts as often as it did, against 1.5 times as often and as seldom (a
 * cumulative sum of Poisson log likelihood ratios). A live model is off by a third at times, so its predictions are
 * taken in proportion to how they did for this arm so far.
 * @see Page, Continuous inspection schemes, 1954
 */
export class DriftAlarm {
  #above: number;
  #below: number;
  #starts: number;
  #predicted: number;

  constructor([above, below, starts, predicted]: DriftState = [0, 0, 0, 0]) {
    this.#above = above;
    this.#below = below;
    this.#starts = starts;
    this.#predicted = predicted;
  }

  /**
   * @param predicted starts, before anything was learned of this outcome
   * @returns whether it is enough to say that the arm has changed; then counting begins anew
   */
  observe(starts: number, predicted: number): boolean {
    const expected = (predicted * (this.#starts + pseudoStarts)) / (this.#predicted + pseudoStarts);
    this.#starts += starts;
    this.#predicted += predicted;
    if (this.#predicted < learnedAfter) return false;
    this.#above = positive(this.#above + starts * logRatio - expected * (ratio - 1));
    this.#below = positive(this.#below - starts * logRatio - expected * (1 / ratio - 1));
    if (this.#above <= threshold && this.#below <= threshold) return false;
    this.#above = 0;
    this.#below = 0;
    this.#starts = 0;
    this.#predicted = 0;
    return true;
  }

  state(): DriftState {
    return [this.#above, this.#below, this.#starts, this.#predicted];
  }
}

const positive = (value: number) => (value > 0 ? value : 0);
