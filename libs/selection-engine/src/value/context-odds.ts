import { likeliestVariances, type Evidence } from '../learning/prior-variance.ts';
import { atMost } from '../numbers/at-most.ts';
import { exp } from '../numbers/exp.ts';
import { oddsOf, shareOf } from '../numbers/odds.ts';

/** How often someone went on, or did not: what became of a start's trial, or of its renewals. */
export interface Chances {
  /** Whose: the columns of a context, as the dictionary numbers them; -1 of a value that it has not. */
  readonly active: Int32Array;
  /** The share of all that go on, whoever they are: within 0 and 1, both left out. */
  readonly rate: number;
  readonly yes: number;
  readonly no: number;
}

/** Chances field by field, as steps go over them. */
interface ChancesByField {
  /** By field: each chance's column, -1 of none. */
  readonly columns: readonly Int32Array[];
  readonly yes: Float64Array;
  readonly counts: Float64Array;
  /** By now. */
  readonly odds: Float64Array;
}

/** Of the log odds that a value of a field adds, before anything is seen. */
const priorVariance = 0.03;
/** Between two of them it is learned how much the values of each field differ. */
const rounds = 3;
const sweepsOfRound = 3;
/** Of fewer outcomes, informative and free, nothing can be said. */
const leastChance = 0.001;
const longestStep = 1;

/**
 * Who goes on: by how much a context moves the odds of a rate. A logistic regression whose offset is the rate of all,
 * with a normal prior for each value of a field. Values of one field exclude each other, so a sweep over the fields is
 * a Newton step of each (backfitting). Most fields say nothing of a rate: the prior variance of each is the likeliest
 * one.
 * @see Hastie and Tibshirani, Generalized Additive Models, 1990
 */
export class ContextOdds {
  /** The log odds that each column adds; none of columns behind the last one that was seen. */
  readonly weights: Float64Array;
  /** The context that was last asked for, and by what it multiplies odds: a start asks several times in a row. */
  #last: { readonly active: Int32Array; readonly factor: number } = { active: new Int32Array(0), factor: 1 };

  /** @param chances in an order that is a function of their set: sums depend on it */
  constructor(chances: readonly Chances[]) {
    this.weights = new Float64Array(1 + greatestColumn(chances));
    const seen = byField(chances);
    const groups = seen.columns.length;
    const variances = new Float64Array(groups).fill(priorVariance);
    for (let round = 0; round < rounds; round++) {
      if (round > 0) this.#learn(variances, seen);
      for (let sweep = 0; sweep < sweepsOfRound; sweep++) {
        // The intercept, of group 0, is in the rates.
        for (let group = 1; group < groups; group++) this.#step(group, variances[group]!, seen);
      }
    }
  }

  /** A rate, as it is for who is in this context. */
  of(rate: number, active: Int32Array): number {
    if (active !== this.#last.active) this.#last = { active, factor: this.#factorOf(active) };
    return shareOf(oddsOf(rate) * this.#last.factor);
  }

  #factorOf(active: Int32Array): number {
    let sum = 0;
    for (let group = 1; group < active.length; group++) {
      const column = active[group]!;
      if (column >= 0) sum += this.weights[column] ?? 0;
    }
    return exp(sum);
  }

  /** Gives every field of several values the prior variance that they speak for. */
  #learn(variances: Float64Array, seen: ChancesByField): void {
    const fields = Array.from({ length: Math.max(0, variances.length - 1) }, (_, index) => {
      const group = 1 + index;
      return { group, evidence: this.#evidenceOf(group, seen) };
    }).filter(({ evidence }) => evidence.scores.length > 0);
    const likeliest = likeliestVariances(
      fields.map(({ evidence }) => evidence),
      priorVariance,
    );
    fields.forEach(({ group }, index) => (variances[group] = likeliest[index]!));
  }

  /** What a field's values say of how much they differ. What they share is not theirs: the rate may be off. */
  #evidenceOf(group: number, seen: ChancesByField): Evidence {
    const { slope, curvature } = this.#sumUp(group, seen);
    const scores = slope.map((one, column) => one + curvature[column]! * this.weights[column]!);
    const [shared, all] = [total(scores), total(curvature)];
    const evidence: Evidence = { scores: [], expected: [], free: [] };
    curvature.forEach((informed, column) => {
      const free = 1 - informed / all;
      if (!(informed * free > leastChance)) return;
      evidence.scores.push(scores[column]! - (shared * informed) / all);
      evidence.expected.push(informed);
      evidence.free.push(free);
    });
    return evidence;
  }

  /** A step of every value of a field, which the odds of all follow: one exponential a value, none a chance. */
  #step(group: number, variance: number, seen: ChancesByField): void {
    const { weights } = this;
    const { slope, curvature } = this.#sumUp(group, seen);
    const factors = slope.map((one, column) => {
      if (curvature[column] === 0) return 1; // another field's, or of nobody who is here
      const weight = weights[column]!;
      const step = atMost(longestStep, (one - weight / variance) / (curvature[column]! + 1 / variance));
      weights[column] = weight + step;
      return exp(step);
    });
    const { odds } = seen;
    const columns = seen.columns[group]!;
    for (let at = 0; at < odds.length; at++) {
      const column = columns[at]!;
      if (column >= 0) odds[at]! *= factors[column]!;
    }
  }

  /** By column of a field: the slope of the log likelihood, and how sharply that falls. */
  #sumUp(group: number, { columns, yes, counts, odds }: ChancesByField): Record<'slope' | 'curvature', Float64Array> {
    const slope = new Float64Array(this.weights.length);
    const curvature = new Float64Array(this.weights.length);
    const ofField = columns[group]!;
    for (let at = 0; at < odds.length; at++) {
      const column = ofField[at]!;
      if (column < 0) continue;
      const count = counts[at]!;
      const share = shareOf(odds[at]!);
      slope[column]! += yes[at]! - count * share;
      curvature[column]! += count * share * (1 - share);
    }
    return { slope, curvature };
  }
}

function byField(chances: readonly Chances[]): ChancesByField {
  const groups = chances[0]?.active.length ?? 0;
  const columns = Array.from({ length: groups }, () => new Int32Array(chances.length));
  const [yes, counts, odds] = [new Float64Array(chances.length), new Float64Array(chances.length), new Float64Array(chances.length)]; // prettier-ignore
  chances.forEach((chance, at) => {
    for (let group = 0; group < groups; group++) columns[group]![at] = chance.active[group]!;
    yes[at] = chance.yes;
    counts[at] = chance.yes + chance.no;
    odds[at] = oddsOf(chance.rate);
  });
  return { columns, yes, counts, odds };
}

function total(numbers: Float64Array): number {
  let sum = 0;
  for (const one of numbers) sum += one;
  return sum;
}

function greatestColumn(chances: readonly Chances[]): number {
  let greatest = 0;
  for (const { active } of chances) for (const column of active) if (column > greatest) greatest = column;
  return greatest;
}
