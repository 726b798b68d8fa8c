import type { Slopes } from './project-value.ts';
import { renewalSteps } from './tally.ts';

const steps = renewalSteps.length;

/** `Slopes` of rows, in their order: numbers behind each other, as objects of so many rows cost more to keep than to make. */
export class SlopesOfRows {
  readonly #renewals: Float64Array;
  readonly #trials: Float64Array;
  readonly #refunds: Float64Array;

  constructor(count: number) {
    this.#renewals = new Float64Array(steps * count);
    this.#trials = new Float64Array(count);
    this.#refunds = new Float64Array(count);
  }

  set(index: number, { renewals, trial, refund }: Slopes): void {
    for (let step = 0; step < steps; step++) this.#renewals[steps * index + step] = renewals[step]!;
    this.#trials[index] = trial;
    this.#refunds[index] = refund;
  }

  /** 0 behind the last step. */
  renewal(index: number, step: number): number {
    return step < steps ? this.#renewals[steps * index + step]! : 0;
  }

  trial(index: number): number {
    return this.#trials[index]!;
  }

  refund(index: number): number {
    return this.#refunds[index]!;
  }
}
