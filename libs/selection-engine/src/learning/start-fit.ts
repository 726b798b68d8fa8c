import { exp } from '../numbers/exp.ts';
import { noMeans, type AdditiveModel } from './additive-model.ts';
import { AdditiveFit, type Outcomes } from './additive-fit.ts';
import { numbersInOrder, placesInOrder, variantOrder } from './by-variant.ts';
import type { ObservedElsewhere } from './exposure-history.ts';
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
   * @param seen parts of what was observed, in their order
   * @param values log USD per start that variants and tokens stand for
   * @see AdditiveFit
   */
  constructor(
    model: AdditiveModel,
    seen: readonly ObservedElsewhere[],
    groups: readonly number[],
    designs: readonly (readonly number[])[],
    values = noMeans,
  ) {
    super(model, new Starts(seen, designs.length), groups, designs, {
      arms: negated(values.arms),
      tokens: negated(values.tokens),
    });
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
  readonly firsts: Uint32Array;
  readonly places: readonly Uint16Array[];
  readonly #sizes: Float32Array;
  readonly #starts: Float32Array;

  constructor(seen: readonly ObservedElsewhere[], variants: number) {
    const order = variantOrder(seen, variants);
    this.firsts = order.firsts;
    const numbersOf = (name: 'sizes' | 'starts') => seen.map((part) => part[name]);
    this.#sizes = numbersInOrder(order, numbersOf('sizes'));
    this.#starts = numbersInOrder(order, numbersOf('starts'));
    const groups = seen.reduce((most, { places }) => Math.max(most, places.length), 0);
    const placesOf = (group: number) => seen.map(({ places }) => places[group]);
    this.places = Array.from({ length: groups }, (_, group) => placesInOrder(order, placesOf(group)));
  }

  fixed(at: number): number {
    return this.#starts[at]!;
  }

  moving(at: number, sum: number): number {
    return this.#sizes[at]! * exp(sum);
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
