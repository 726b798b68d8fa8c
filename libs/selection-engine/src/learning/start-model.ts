import { AdditiveModel, type AdditivePriors, type Arm } from './additive-model.ts';

/**
 * Chosen on simulated worlds: about 3 % of exposures start, and tastes differ little. A variant and each of its tokens
 * vary alike.
 */
export const startPriors: AdditivePriors = {
  shared: { intercept: 4, field: 0.05 },
  arms: { intercept: 0.2, field: 0.00375 },
  tokens: { intercept: 0.1, field: 0.00375 },
};
const startBase = -3.5;

/** Starts per exposure: N ~ Poisson(size · e^z), z a sum of independent normal weights, which `StartFit` finds. */
export class StartModel {
  readonly weights: AdditiveModel;

  /** @param groups the dictionary's, which grows */
  constructor(groups: readonly number[], priors: AdditivePriors = startPriors, base = startBase) {
    this.weights = new AdditiveModel(base, priors, groups, 'crossed');
  }

  /** The expected log of starts per exposure. */
  score(active: Int32Array, arm: Arm): number {
    return this.weights.mean(active, arm);
  }
}
