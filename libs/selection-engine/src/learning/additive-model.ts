import { Block, type NormalSum, type Prior } from './block.ts';

/** A variant as models know it: its row, and the rows of its design's tokens. */
export interface Arm {
  readonly row: number;
  readonly design: readonly number[];
}

export interface AdditivePriors {
  readonly shared: Prior;
  readonly arms: Prior;
  readonly tokens: Prior;
}

/** Of intercepts, by row. */
export interface InterceptMeans {
  readonly arms: ArrayLike<number>;
  readonly tokens: ArrayLike<number>;
}

export const noMeans: InterceptMeans = { arms: [], tokens: [] };

const interceptAlone: readonly number[] = [0];
const onlyIntercept = Int32Array.of(0);

/**
 * A sum of weights: base + what the context does to all variants + what it does to this one + what it does to
 * each token of its design (or what each token does in every context, where tokens have intercepts alone).
 */
export class AdditiveModel {
  base: number;
  readonly shared: Block;
  readonly arms: Block;
  readonly tokens: Block;
  /** Whether a token has weights for every column, or its intercept alone. */
  readonly crossesTokens: boolean;
  readonly #sum: NormalSum = { mean: 0, variance: 0 };

  constructor(base: number, priors: AdditivePriors, groups: readonly number[], tokens: 'crossed' | 'alone') {
    this.base = base;
    this.crossesTokens = tokens === 'crossed';
    this.shared = new Block(priors.shared, groups);
    this.arms = new Block(priors.arms, groups);
    this.tokens = new Block(priors.tokens, this.crossesTokens ? groups : interceptAlone);
    this.shared.addRow();
  }

  /** Whether anything was learned from data. */
  get isFitted(): boolean {
    return this.shared.values('lam')[0]! > 0;
  }

  /** What variants and tokens add in every context. */
  intercepts(): InterceptMeans {
    return { arms: this.arms.intercepts(), tokens: this.tokens.intercepts() };
  }

  /** The sum's mean, as `predict` has it. */
  mean(active: Int32Array, { row, design }: Arm): number {
    const crossed = this.crossesTokens ? active : onlyIntercept;
    let mean = this.arms.plusMeans(this.shared.plusMeans(this.base, 0, active), row, active);
    for (const token of design) mean = this.tokens.plusMeans(mean, token, crossed);
    return mean;
  }

  /** The sum's mean and variance, in one object that every call writes anew. */
  predict(active: Int32Array, arm: Arm): Readonly<NormalSum> {
    const sum = this.#sum;
    sum.mean = this.base;
    sum.variance = 0;
    this.shared.addTo(sum, 0, active);
    this.arms.addTo(sum, arm.row, active);
    const crossed = this.crossesTokens ? active : onlyIntercept;
    for (let place = 0; place < arm.design.length; place++) this.tokens.addTo(sum, arm.design[place] ?? 0, crossed);
    return sum;
  }
}
