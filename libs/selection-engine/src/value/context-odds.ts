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
  /** By field: each chance's column; behind the last one of all where it has none. */
  readonly columns: readonly Int32Array[];
  /** By field: its columns, rising. */
  readonly ofField: readonly Int32Array[];
  readonly yes: Float64Array;
  readonly counts: Float64Array;
  /** By now, but for what is still to follow. */
  readonly odds: Float64Array;
  /** By column: sums over the field in hand. */
  readonly slope: Float64Array;
  readonly curvature: Float64Array;
  /** By column: what odds are multiplied by; 1 of the intercept and of none. */
  readonly factors: Float64Array;
  /** The field whose step odds follow with the next pass over them; 0, the intercept's, of none. */
  toFollow: number;
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
  #last: Int32Array = new Int32Array(0);
  #lastFactor = 1;

  /** @param chances in an order that is a function of their set: sums depend on it */
  constructor(chances: readonly Chances[]) {
    this.weights = new Float64Array(1 + greatestColumn(chances));
    const seen = byField(chances, this.weights.length);
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
    if (active !== this.#last) [this.#last, this.#lastFactor] = [active, this.#factorOf(active)];
    return shareOf(oddsOf(rate) * this.#lastFactor);
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
    this.#sumUp(group, seen);
    const { slope, curvature } = seen;
    const scoreOf = (column: number) => slope[column]! + curvature[column]! * this.weights[column]!;
    let [shared, all] = [0, 0];
    for (const column of seen.ofField[group]!) {
      shared += scoreOf(column);
      all += curvature[column]!;
    }
    const evidence: Evidence = { scores: [], expected: [], free: [] };
    for (const column of seen.ofField[group]!) {
      const informed = curvature[column]!;
      const free = 1 - informed / all;
      if (!(informed * free > leastChance)) continue;
      evidence.scores.push(scoreOf(column) - (shared * informed) / all);
      evidence.expected.push(informed);
      evidence.free.push(free);
    }
    return evidence;
  }

  /** A step of every value of a field, which the odds of all follow: one exponential a value, none a chance. */
  #step(group: number, variance: number, seen: ChancesByField): void {
    const { weights } = this;
    this.#sumUp(group, seen);
    const { slope, curvature, factors } = seen;
    for (const column of seen.ofField[group]!) {
      const weight = weights[column]!;
      const found = (slope[column]! - weight / variance) / (curvature[column]! + 1 / variance);
      // Where all are sure to go on, or none, nothing is learned.
      const step = curvature[column] === 0 ? 0 : atMost(longestStep, found);
      weights[column] = weight + step;
      factors[column] = exp(step);
    }
    seen.toFollow = group;
  }

  /**
   * By column of a field: the slope of the log likelihood, and how sharply that falls. The same pass lets the odds follow the
   * step before.
   */
  #sumUp(group: number, seen: ChancesByField): void {
    const { columns, yes, counts, odds, slope, curvature, factors } = seen;
    const ofField = columns[group]!;
    const ofFormer = columns[seen.toFollow]!;
    seen.toFollow = 0;
    for (const column of seen.ofField[group]!) slope[column] = curvature[column] = 0;
    // Without a branch: whoever has no value counts behind the last column, which nobody reads.
    for (let at = 0; at < odds.length; at++) {
      const now = odds[at]! * factors[ofFormer[at]!]!;
      odds[at] = now;
      const column = ofField[at]!;
      const count = counts[at]!;
      const share = shareOf(now);
      slope[column]! += yes[at]! - count * share;
      curvature[column]! += count * share * (1 - share);
    }
  }
}

/** @param size how many columns there are */
function byField(chances: readonly Chances[], size: number): ChancesByField {
  const groups = chances[0]?.active.length ?? 0;
  const columns = Array.from({ length: groups }, () => new Int32Array(chances.length));
  const ofChances = () => new Float64Array(chances.length);
  const [yes, counts, odds] = [ofChances(), ofChances(), ofChances()];
  for (let at = 0; at < chances.length; at++) {
    const chance = chances[at]!;
    const { active } = chance;
    for (let group = 0; group < groups; group++) columns[group]![at] = active[group]! < 0 ? size : active[group]!;
    yes[at] = chance.yes;
    counts[at] = chance.yes + chance.no;
    odds[at] = oddsOf(chance.rate);
  }
  const ofColumns = () => new Float64Array(size + 1);
  const sums = { slope: ofColumns(), curvature: ofColumns(), factors: ofColumns().fill(1) };
  return { columns, ofField: columns.map((ofField) => columnsIn(ofField, size)), yes, counts, odds, ...sums, toFollow: 0 }; // prettier-ignore
}

/** Those that are there, rising. */
function columnsIn(ofField: Int32Array, size: number): Int32Array {
  const isThere = new Uint8Array(size);
  for (const column of ofField) if (column < size) isThere[column] = 1;
  const found: number[] = [];
  isThere.forEach((there, column) => there === 1 && found.push(column));
  return Int32Array.from(found);
}

function greatestColumn(chances: readonly Chances[]): number {
  let greatest = 0;
  for (const { active } of chances)
    for (let group = 0; group < active.length; group++) if (active[group]! > greatest) greatest = active[group]!;
  return greatest;
}
