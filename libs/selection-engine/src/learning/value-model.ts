import { exp } from '../numbers/exp.ts';
import { log } from '../numbers/log.ts';
import { AdditiveModel, type AdditivePriors, type Arm } from './additive-model.ts';

/** Chosen on simulated worlds; a token has one weight, for every context. */
export const valuePriors: AdditivePriors = {
  shared: { intercept: 0.01, field: 0.02 },
  arms: { intercept: 0.05, field: 0.001 },
  tokens: { intercept: 0.2, field: 0.2 },
};

/** Variance of a label over its squared mean. */
const dispersion = 1.2;
/** Keeps the first fit of few rows near 30 USD a start. */
const pseudoUsd = 30;
const steps = 10;
const closeEnough = 1e-6;
const leastCurvature = 0.2;

/** One start: who started on what, and the USD that it is thought to bring within the horizon. */
export interface LabelledStart {
  readonly active: Int32Array;
  readonly arm: Arm;
  /** At least 0, finite. */
  readonly label: number;
}

/** USD per start: its mean is e^u, u a sum of independent normal weights, fitted by gamma quasi-likelihood. */
export class ValueModel {
  readonly weights: AdditiveModel;

  /** @param groups the dictionary's, which grows */
  constructor(groups: readonly number[], priors: AdditivePriors = valuePriors) {
    this.weights = new AdditiveModel(log(pseudoUsd), priors, groups, 'alone');
  }

  /** The expected log of USD per start. */
  score(active: Int32Array, arm: Arm): number {
    return this.weights.predict(active, arm).mean;
  }

  /** Forgets all rows and folds in these, in their order, which the caller makes a function of the set. */
  refit(rows: readonly LabelledStart[]): void {
    let total = pseudoUsd;
    for (const { label } of rows) total += checked(label);
    const { weights } = this;
    weights.base = log(total / (1 + rows.length));
    for (const block of [weights.shared, weights.arms, weights.tokens]) {
      for (let row = 0; row < block.rows; row++) block.inherit(row, row, 0);
    }
    for (const { active, arm, label } of rows) this.payout(active, arm, label);
  }

  /** Folds in one label by a Laplace step: u solves (u-m)/s + (1 - label·e^-u)/dispersion = 0. */
  payout(active: Int32Array, arm: Arm, label: number): void {
    checked(label);
    const { mean, variance } = this.weights.predict(active, arm);
    let u = mean;
    for (let step = 0; step < steps; step++) {
      const ratio = label * exp(-u);
      const slope = (u - mean) / variance + (1 - ratio) / dispersion;
      const change = slope / (1 / variance + (ratio > leastCurvature ? ratio : leastCurvature) / dispersion);
      u -= change > 1 ? 1 : change < -1 ? -1 : change;
      if (change < closeEnough && change > -closeEnough) break;
    }
    const left = 1 / (1 / variance + 1 / dispersion);
    this.weights.correct(active, arm, (u - mean) / variance, (variance - left) / (variance * variance));
  }
}

function checked(label: number): number {
  if (!(label >= 0 && label < Infinity)) throw new RangeError('A label is a finite amount of at least 0 USD.');
  return label;
}
