import type { AdditivePriors } from '../learning/additive-model.ts';
import type { Prior } from '../learning/block.ts';

interface PlainWeight {
  mean: number;
  variance: number;
}

/** The same equations as the models', slowly and plainly: weights by name, roots by bisection, the engine's own exp. */
export class PlainAdditiveModel {
  readonly #weights = new Map<string, PlainWeight>();
  readonly #priors: AdditivePriors;
  readonly #base: number;

  constructor(base: number, priors: AdditivePriors) {
    this.#base = base;
    this.#priors = priors;
  }

  exposure(active: Int32Array, arm: string, tokens: readonly string[], size: number): void {
    this.#observe(active, arm, tokens, {
      slope: (z) => size * Math.exp(z),
      curvature: (z) => size * Math.exp(z),
    });
  }

  start(active: Int32Array, arm: string, tokens: readonly string[]): void {
    const weights = this.active(active, arm, tokens);
    const variance = weights.reduce((sum, weight) => sum + weight.variance, 0);
    for (const weight of weights) weight.mean += (weight.variance / variance) * Math.min(variance, 1);
  }

  payout(active: Int32Array, arm: string, tokens: readonly string[], label: number, phi: number): void {
    this.#observe(active, arm, tokens, {
      slope: (z) => (1 - label * Math.exp(-z)) / phi,
      curvature: () => 1 / phi,
    });
  }

  mean(active: Int32Array, arm: string, tokens: readonly string[]): number {
    return this.active(active, arm, tokens).reduce((sum, weight) => sum + weight.mean, this.#base);
  }

  active(active: Int32Array, arm: string, tokens: readonly string[]): PlainWeight[] {
    const rows: [string, Prior][] = [
      ['S', this.#priors.shared],
      [`A ${arm}`, this.#priors.arms],
      ...tokens.map((token): [string, Prior] => [`D ${token}`, this.#priors.tokens]),
    ];
    return rows.flatMap(([row, prior]) => [...active].map((column) => this.#weight(`${row} ${column}`, column, prior)));
  }

  #observe(
    active: Int32Array,
    arm: string,
    tokens: readonly string[],
    loss: { slope: (z: number) => number; curvature: (z: number) => number },
  ): void {
    const weights = this.active(active, arm, tokens);
    const m = weights.reduce((sum, weight) => sum + weight.mean, this.#base);
    const s = weights.reduce((sum, weight) => sum + weight.variance, 0);
    const z = root((at) => (at - m) / s + loss.slope(at), m - 50, m + 50);
    const left = 1 / (1 / s + loss.curvature(z));
    for (const weight of weights) {
      weight.mean += (weight.variance / s) * (z - m);
      weight.variance -= (weight.variance / s) ** 2 * (s - left);
    }
  }

  #weight(name: string, column: number, prior: Prior): PlainWeight {
    const held = this.#weights.get(name);
    if (held) return held;
    const weight = { mean: 0, variance: column === 0 ? prior.intercept : prior.field };
    this.#weights.set(name, weight);
    return weight;
  }
}

/** Where a rising function is 0. */
function root(rising: (z: number) => number, low: number, high: number): number {
  for (let halving = 0; halving < 200; halving++) {
    const middle = (low + high) / 2;
    if (rising(middle) > 0) high = middle;
    else low = middle;
  }
  return (low + high) / 2;
}
