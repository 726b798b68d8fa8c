import { exp } from '../numbers/exp.ts';
import { noMeans, type AdditiveModel } from './additive-model.ts';
import { AdditiveFit, type Outcomes } from './additive-fit.ts';
import type { Observations } from './exposure-history.ts';
import { evidenceOfTastes } from './taste-evidence.ts';
import { likeliestVariances } from './prior-variance.ts';

/** A variant's taste is the sum of its own weight and those of its tokens, of which about three tell it from others. */
const weightsOfTaste = 4;

/**
 * Fits a start model to exposures and the starts that came of them: Poisson, the log of its rate additive.
 *
 * Before any data variants are thought to bring alike, not to be started alike: whoever sets prices sets them where more
 * of one loses as much of the other, and a start that is worth twice as much comes half as often.
 */
export class StartFit extends AdditiveFit {
  readonly #model: AdditiveModel;

  /**
   * @param values log USD per start that variants and tokens stand for
   * @see AdditiveFit
   */
  constructor(
    model: AdditiveModel,
    seen: Observations,
    groups: readonly number[],
    designs: readonly (readonly number[])[],
    values = noMeans,
  ) {
    super(model, new Starts(seen), groups, designs, { arms: negated(values.arms), tokens: negated(values.tokens) });
    this.#model = model;
  }

  /**
   * Gives the model, before `finish`, what the starts say of how much tastes differ: half of the way
   * from what was thought, by its log. Fields of one value, and the shared weights, keep their priors.
   */
  learnVariances(): void {
    const { arms, tokens } = this.#model;
    const fields = Array.from({ length: this.groups - 1 }, (_, index) => {
      const group = 1 + index;
      return { group, evidence: evidenceOfTastes(this.cellsOf(group)) };
    }).filter(({ evidence }) => evidence.scores.length > 0);
    const likeliest = likeliestVariances(
      fields.map(({ evidence }) => evidence),
      weightsOfTaste * arms.prior.field,
    );
    fields.forEach(({ group }, index) => {
      const tau = Math.sqrt((arms.tau(group) * likeliest[index]!) / weightsOfTaste);
      arms.setTau(group, tau);
      tokens.setTau(group, tau);
    });
  }
}

const negated = (means: ArrayLike<number>) => Array.from(means, (mean) => -mean);

/** Starts, and how many are expected: Poisson. */
class Starts implements Outcomes {
  readonly #seen: Observations;
  readonly count: number;
  readonly arms: Uint16Array;
  readonly places: readonly Uint16Array[];

  constructor(seen: Observations) {
    this.#seen = seen;
    this.count = seen.count;
    this.arms = seen.arms;
    this.places = seen.places;
  }

  fixed(at: number): number {
    return this.#seen.starts[at]!;
  }

  moving(at: number, sum: number): number {
    return this.#seen.sizes[at]! * exp(sum);
  }

  follow(factor: number): number {
    return factor;
  }

  slope(started: number, expected: number): number {
    return started - expected;
  }

  curvature(_: number, expected: number): number {
    return expected;
  }
}
