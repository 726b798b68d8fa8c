import { exp } from '../numbers/exp.ts';
import { AdditiveModel, type AdditivePriors, type Arm } from './additive-model.ts';

/** Chosen on simulated worlds: about 3 % of exposures start, and tastes differ little. */
export const startPriors: AdditivePriors = {
  shared: { intercept: 4, field: 0.05 },
  arms: { intercept: 0.2, field: 0.003 },
  tokens: { intercept: 0.1, field: 0.01 },
};
const startBase = -3.5;

const steps = 8;
const closeEnough = 1e-6;

/**
 * Starts per exposure: N ~ Poisson(size · e^z), z a sum of independent normal weights, each outcome folded in
 * when it comes. Order matters, since an outcome is weighed by the state that the one before it left.
 */
export class StartModel {
  readonly weights: AdditiveModel;

  /** @param groups the dictionary's, which grows */
  constructor(groups: readonly number[], priors: AdditivePriors = startPriors, base = startBase) {
    this.weights = new AdditiveModel(base, priors, groups, 'crossed');
  }

  /** The expected log of starts per exposure. */
  score(active: Int32Array, arm: Arm): number {
    return this.weights.predict(active, arm).mean;
  }

  /**
   * Folds in that much of an exposure without a start, by a Laplace step: z solves (z-m)/s + size·e^z = 0.
   * @param size in [0, 1]: the share of starts that would have come by now
   * @returns the starts that were expected of it
   */
  exposure(active: Int32Array, arm: Arm, size: number): number {
    if (!(size >= 0 && size <= 1)) throw new RangeError('The size of an exposure is from 0 to 1.');
    const { mean, variance } = this.weights.predict(active, arm);
    const expected = size * exp(mean);
    if (size === 0) return expected;
    let z = mean;
    for (let step = 0; step < steps; step++) {
      const rate = size * exp(z < 1 ? z : 1);
      const change = ((z - mean) / variance + rate) / (1 / variance + rate);
      z -= change;
      if (change < closeEnough && change > -closeEnough) break;
    }
    const left = 1 / (1 / variance + size * exp(z < 1 ? z : 1));
    this.weights.correct(active, arm, (z - mean) / variance, (variance - left) / (variance * variance));
    return expected;
  }

  /**
   * Folds in a start, or that much of one: the normal is tilted exactly, by at most 1.
   * @param size in [0, 1]
   */
  start(active: Int32Array, arm: Arm, size = 1): void {
    if (!(size >= 0 && size <= 1)) throw new RangeError('The size of a start is from 0 to 1.');
    const { variance } = this.weights.predict(active, arm);
    const tilt = size * variance;
    this.weights.correct(active, arm, (tilt < 1 ? tilt : 1) / variance, 0);
  }
}
