import { exp } from '../numbers/exp.ts';

/** How often someone went on, or did not: what became of a start's trial, or of its renewals. */
export interface Chances {
  /** Whose: the columns of a context, as the dictionary numbers them; -1 of a value that it has not. */
  readonly active: Int32Array;
  /** The share of all that go on, whoever they are: within 0 and 1, both left out. */
  readonly rate: number;
  readonly yes: number;
  readonly no: number;
}

/** Of the log odds that a value of a field adds, before anything is seen. */
const priorVariance = 0.03;
const sweeps = 8;
const longestStep = 1;

/**
 * Who goes on: by how much a context moves the odds of a rate. A logistic regression whose offset is the rate of all, with a normal
 * prior for each value of a field. Values of one field exclude each other, so a sweep over the fields is a Newton step of each (backfitting).
 * @see Hastie and Tibshirani, Generalized Additive Models, 1990
 */
export class ContextOdds {
  /** The log odds that each column adds; none of columns behind the last one that was seen. */
  readonly weights: Float64Array;

  /** @param chances in an order that is a function of their set: sums depend on it */
  constructor(chances: readonly Chances[]) {
    this.weights = new Float64Array(1 + greatestColumn(chances));
    const groups = chances[0]?.active.length ?? 0;
    const odds = Float64Array.from(chances, ({ rate }) => oddsOf(rate));
    for (let sweep = 0; sweep < sweeps; sweep++) {
      // The intercept, of group 0, is in the rates.
      for (let group = 1; group < groups; group++) this.#step(group, chances, odds);
    }
  }

  /** A rate, as it is for who is in this context. */
  of(rate: number, active: Int32Array): number {
    let sum = 0;
    for (let group = 1; group < active.length; group++) sum += this.weights[active[group]!] ?? 0;
    return shareOf(oddsOf(rate) * exp(sum));
  }

  /** A step of every value of a field, which the odds of all follow: one exponential a value, none a chance. */
  #step(group: number, chances: readonly Chances[], odds: Float64Array): void {
    const { weights } = this;
    const slope = new Float64Array(weights.length);
    const curvature = new Float64Array(weights.length);
    chances.forEach(({ active, yes, no }, at) => {
      const column = active[group]!;
      if (column < 0) return;
      const count = yes + no;
      const share = shareOf(odds[at]!);
      slope[column]! += yes - count * share;
      curvature[column]! += count * share * (1 - share);
    });
    const factors = slope.map((one, column) => {
      if (curvature[column] === 0) return 1; // another field's, or of nobody who is here
      const weight = weights[column]!;
      const step = atMost(longestStep, (one - weight / priorVariance) / (curvature[column]! + 1 / priorVariance));
      weights[column] = weight + step;
      return exp(step);
    });
    chances.forEach(({ active }, at) => {
      const column = active[group]!;
      if (column >= 0) odds[at]! *= factors[column]!;
    });
  }
}

function greatestColumn(chances: readonly Chances[]): number {
  let greatest = 0;
  for (const { active } of chances) for (const column of active) if (column > greatest) greatest = column;
  return greatest;
}

const oddsOf = (share: number) => share / (1 - share);
const shareOf = (odds: number) => odds / (1 + odds);
const atMost = (bound: number, value: number) => (value > bound ? bound : value < -bound ? -bound : value);
