import { exp } from '../numbers/exp.ts';
import { log } from '../numbers/log.ts';
import { AdditiveFit, type Outcomes } from './additive-fit.ts';
import { variantOrder } from './by-variant.ts';
import { placeIn } from './exposure-history.ts';
import { AdditiveModel, type AdditivePriors, type Arm } from './additive-model.ts';

/** Chosen on simulated worlds; a token has one weight, for every context. */
const valuePriors: AdditivePriors = {
  shared: { intercept: 0.01, field: 0.02 },
  arms: { intercept: 0.05, field: 0.001 },
  tokens: { intercept: 0.2, field: 0.2 },
};

/** Variance of a label over its squared mean. */
export const dispersion = 1.2;
/** Keeps the first fit of few rows near 30 USD a start. */
const pseudoUsd = 30;
/** From nothing; and from where the last fit ended, when a fiftieth of the starts is new. */
const [firstSweeps, furtherSweeps] = [10, 4];
/** Starts before the variance of values between variants is learned. */
const startsOfTau = 200;

/** One start: who started on what, and the USD that it is thought to bring within the horizon. */
export interface LabelledStart {
  readonly active: Int32Array;
  /** The variant's row. */
  readonly arm: number;
  /** At least 0, finite. */
  readonly label: number;
}

/** What there is to learn from columns: which group each belongs to, and its place among the group's, from 1. */
export interface Columns {
  readonly groups: readonly number[];
  readonly places: ArrayLike<number>;
}

/** USD per start: its mean is e^u, u a sum of independent normal weights, fitted by gamma quasi-likelihood. */
export class ValueModel {
  readonly weights: AdditiveModel;
  readonly #columns: Columns;

  /** @param columns the dictionary's, which grow */
  constructor(columns: Columns, priors: AdditivePriors = valuePriors) {
    this.#columns = columns;
    this.weights = new AdditiveModel(log(pseudoUsd), priors, columns.groups, 'alone');
  }

  /** The expected log of USD per start. */
  score(active: Int32Array, arm: Arm): number {
    return this.weights.mean(active, arm);
  }

  /**
   * Fits these rows, all at once, from where the last fit ended: so it is soon nearer to the optimum than a fit from nothing,
   * and what was fitted before fades.
   * @param rows in an order that the caller makes a function of the set, since sums depend on it to the bit
   * @param designs by variant's row: its tokens' rows
   * @param known log USD that contexts add to a variant's, by its row and column: what is fitted is the rest
   */
  refit(rows: readonly LabelledStart[], designs: readonly (readonly number[])[], known?: Float64Array): void {
    const { weights } = this;
    const columns = this.#columns.groups.length;
    const rests = new Float64Array(rows.length);
    let total = pseudoUsd;
    for (let row = 0; row < rows.length; row++) {
      const { active, arm, label } = rows[row]!;
      rests[row] = checked(label) / (known === undefined ? 1 : exp(sumOf(known, arm * columns, active)));
      total += rests[row]!;
    }
    weights.base = log(total / (1 + rows.length));
    const isFirst = !weights.isFitted;
    if (known !== undefined && !isFirst) weights.arms.add(known.map((one) => -one));
    const fit = new AdditiveFit(
      weights,
      new Payouts(rows, rests, this.#columns.places, designs.length),
      this.#columns.groups,
      designs,
    );
    for (let swept = isFirst ? firstSweeps : furtherSweeps; swept > 0; swept--) fit.sweep();
    fit.finish();
    if (rows.length >= startsOfTau) weights.arms.learnTau();
    if (known !== undefined) weights.arms.add(known);
  }
}

/** Starts, and their labels over what is expected: the variance of a label is its mean's square, times the dispersion. */
class Payouts implements Outcomes {
  readonly firsts: Uint32Array;
  readonly places: readonly Uint16Array[];
  readonly #labels: Float64Array;

  /** @param labels what is to be fitted of each row's */
  constructor(rows: readonly LabelledStart[], labels: Float64Array, placeOf: ArrayLike<number>, variants: number) {
    const arms = new Uint16Array(rows.length);
    for (let row = 0; row < rows.length; row++) arms[row] = rows[row]!.arm;
    const { firsts, stands } = variantOrder([{ count: rows.length, arms }], variants);
    const [stand] = stands;
    this.firsts = firsts;
    this.#labels = new Float64Array(rows.length);
    const groups = rows[0]?.active.length ?? 0;
    const places = Array.from({ length: groups }, () => new Uint16Array(rows.length));
    for (let row = 0; row < rows.length; row++) {
      const { active } = rows[row]!;
      const at = stand![row]!;
      this.#labels[at] = labels[row]!;
      for (let group = 0; group < groups; group++) places[group]![at] = placeIn(placeOf, active[group]);
    }
    this.places = places;
  }

  fixed(): number {
    return 1;
  }

  moving(at: number, sum: number): number {
    return this.#labels[at]! * exp(-sum);
  }

  follow(factor: number): number {
    return 1 / factor;
  }

  slope(starts: number, relative: number): number {
    return (relative - starts) / dispersion;
  }

  curvature(starts: number): number {
    return starts / dispersion;
  }
}

/** Of a row of numbers, those of the active columns. */
function sumOf(numbers: Float64Array, start: number, active: Int32Array): number {
  let sum = 0;
  for (let group = 0; group < active.length; group++) {
    const column = active[group]!;
    if (column >= 0) sum += numbers[start + column] ?? 0;
  }
  return sum;
}

function checked(label: number): number {
  if (!(label >= 0 && label < Infinity)) throw new RangeError('A label is a finite amount of at least 0 USD.');
  return label;
}
