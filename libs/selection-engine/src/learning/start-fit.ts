import { exp } from '../numbers/exp.ts';
import type { AdditiveModel } from './additive-model.ts';
import type { Block } from './block.ts';
import type { Observations } from './exposure-history.ts';
import { likeliestVariance, type Evidence } from './prior-variance.ts';

/** A Newton step is at most that long, in log odds. */
const longestStep = 1;
/** Of fewer starts, expected and free, nothing can be said. */
const leastChance = 0.001;

/** Weights of which an exposure has at most one a group: a block, and the row that each variant has in it, or -1. */
interface Part {
  readonly block: Block;
  readonly rowOf: Int32Array;
  readonly means: Float64Array;
  readonly precisions: Float64Array;
  /** See `Evidence`. */
  readonly scores: Float64Array;
  readonly free: Float64Array;
}

/**
 * Fits a start model to all that was observed at once: the weights at which prior times Poisson likelihood is greatest.
 * Learned one by one, early exposures freeze weights that later ones would have moved, and what one variant's surprise did
 * to the weights it shares with others stays there; a fit has neither fault, and starts from where the model is.
 *
 * A sweep goes over groups and parts (shared, variants, kinds of tokens). The columns of a group exclude each other, so each
 * part's step is an exact Newton step of every weight by itself (backfitting).
 * @see Hastie and Tibshirani, Generalized Additive Models, 1990
 */
export class StartFit {
  readonly groups: number;
  readonly #seen: Observations;
  readonly #parts: readonly Part[];
  /** By group: its columns, in the order of their places. */
  readonly #columns: readonly (readonly number[])[];
  readonly #width: number;
  /** Starts that are expected of each exposure by now. */
  readonly #expected: Float64Array;

  /**
   * @param groups the dictionary's: of every column
   * @param designs by variant's row: its tokens' rows
   */
  constructor(
    { base, shared, arms, tokens }: AdditiveModel,
    seen: Observations,
    groups: readonly number[],
    designs: readonly (readonly number[])[],
  ) {
    this.#seen = seen;
    this.#width = groups.length;
    this.groups = seen.places.length;
    this.#columns = columnsByGroup(groups, this.groups);
    const partOf = (block: Block, rowOf: Int32Array): Part => {
      const means = block.values('mean');
      const zeros = () => new Float64Array(means.length);
      return { block, rowOf, means, precisions: zeros(), scores: zeros(), free: zeros() };
    };
    const ofTokens = partOf(tokens, new Int32Array(0));
    this.#parts = [
      partOf(shared, new Int32Array(designs.length)),
      partOf(
        arms,
        Int32Array.from(designs, (_, row) => row),
      ),
      ...kindsOfTokens(designs).map((rowOf) => ({ ...ofTokens, rowOf })),
    ];
    this.#expected = new Float64Array(seen.count).fill(base);
    for (let group = 0; group < this.groups; group++) for (const part of this.#parts) this.#add(part, group);
    for (let at = 0; at < seen.count; at++) this.#expected[at] = seen.sizes[at]! * exp(this.#expected[at]!);
  }

  /** One step of every weight of a group. */
  fitGroup(group: number): void {
    for (const part of this.#parts) this.#fitPart(part, group);
  }

  /** Gives the model what was found. */
  finish(): void {
    for (const { block, means, precisions } of this.#blocks()) block.setFitted(means, precisions);
  }

  /** Gives the model, behind `finish`, what that says of how much weights differ. The shared ones keep their priors. */
  learnVariances(): void {
    const [, ...others] = this.#blocks();
    for (const part of others) for (let group = 0; group < this.groups; group++) this.#learnVariance(part, group);
  }

  /** A part of each block, the shared one's first: all parts of a block have the same numbers. */
  #blocks(): Iterable<Part> {
    return new Map(this.#parts.map((part) => [part.block, part])).values();
  }

  /** Half of the way, by its log: what is observed of a weight depends on what the others are thought to be. */
  #learnVariance(part: Part, group: number): void {
    const { block } = part;
    const likeliest = likeliestVariance(this.#evidenceOf(part, group), block.startingTau(group));
    block.setTau(group, Math.sqrt(block.tau(group) * likeliest));
  }

  #evidenceOf({ block, precisions, scores, free }: Part, group: number): Evidence {
    const evidence: Evidence = { scores: [], expected: [], free: [] };
    for (let row = 0; row < block.rows; row++) {
      for (const column of this.#columns[group]!) {
        const at = row * this.#width + column;
        if (!(precisions[at]! * free[at]! > leastChance)) continue;
        evidence.scores.push(scores[at]!);
        evidence.expected.push(precisions[at]!);
        evidence.free.push(free[at]!);
      }
    }
    return evidence;
  }

  #fitPart(part: Part, group: number): void {
    const { block, rowOf, means, precisions, scores, free } = part;
    const columns = this.#columns[group]!;
    const size = columns.length + 1;
    const surprise = new Float64Array(block.rows * size);
    const curvature = new Float64Array(block.rows * size);
    this.#gather(group, rowOf, size, surprise, curvature);
    const factors = surprise;
    const prior = 1 / block.tau(group);
    const ofPlaces = sumsByPlace(curvature, size);
    for (const row of new Set(rowOf)) {
      if (row < 0) continue;
      const ofRow = sumOfRow(curvature, row, size);
      for (let place = 1; place < size; place++) {
        const at = row * this.#width + columns[place - 1]!;
        const from = row * size + place;
        const found = (surprise[from]! - means[at]! * prior) / (curvature[from]! + prior);
        const step = found > longestStep ? longestStep : found < -longestStep ? -longestStep : found;
        const expected = curvature[from]!;
        scores[at] = surprise[from]! + expected * means[at]!;
        free[at] = freeOf(expected, ofRow, ofPlaces[place]!);
        precisions[at] = expected;
        means[at]! += step;
        factors[from] = exp(step);
      }
      factors[row * size] = 1;
    }
    this.#follow(group, rowOf, size, factors);
  }

  /** What exposures say against the weights of a part, and how surely. */
  #gather(group: number, rowOf: Int32Array, size: number, surprise: Float64Array, curvature: Float64Array): void {
    const { count, arms, starts, places } = this.#seen;
    const ofGroup = places[group]!;
    const expected = this.#expected;
    for (let seen = 0; seen < count; seen++) {
      const row = rowOf[arms[seen]!]!;
      if (row < 0) continue;
      const at = row * size + ofGroup[seen]!;
      surprise[at]! += starts[seen]! - expected[seen]!;
      curvature[at]! += expected[seen]!;
    }
  }

  #follow(group: number, rowOf: Int32Array, size: number, factors: Float64Array): void {
    const { count, arms, places } = this.#seen;
    const ofGroup = places[group]!;
    for (let seen = 0; seen < count; seen++) {
      const row = rowOf[arms[seen]!]!;
      if (row >= 0) this.#expected[seen]! *= factors[row * size + ofGroup[seen]!]!;
    }
  }

  #add({ rowOf, means }: Part, group: number): void {
    const { count, arms, places } = this.#seen;
    const ofGroup = places[group]!;
    const columns = this.#columns[group]!;
    for (let seen = 0; seen < count; seen++) {
      const row = rowOf[arms[seen]!]!;
      const place = ofGroup[seen]!;
      if (row >= 0 && place > 0) this.#expected[seen]! += means[row * this.#width + columns[place - 1]!]!;
    }
  }
}

/** What the weights of a row and of a place leave of an expectation to chance: the residual degrees of freedom of a cell. */
const freeOf = (expected: number, ofRow: number, ofPlace: number): number =>
  expected > 0 ? (1 - expected / ofRow) * (1 - expected / ofPlace) : 0;

/** What a row's values expect together. */
function sumOfRow(curvature: Float64Array, row: number, size: number): number {
  let sum = 0;
  for (let place = 1; place < size; place++) sum += curvature[row * size + place]!;
  return sum;
}

/** What all rows expect together, by place. */
function sumsByPlace(curvature: Float64Array, size: number): Float64Array {
  const sums = new Float64Array(size);
  for (let at = 0; at < curvature.length; at++) sums[at % size]! += curvature[at]!;
  return sums;
}

function columnsByGroup(groups: readonly number[], count: number): readonly (readonly number[])[] {
  const columns = Array.from({ length: count }, (): number[] => []);
  groups.forEach((group, column) => columns[group]?.push(column));
  return columns;
}

/** Tokens sorted into kinds that no design has two of, each as the token's row by variant, or -1. */
function kindsOfTokens(designs: readonly (readonly number[])[]): readonly Int32Array[] {
  const kinds: Int32Array[] = [];
  for (const token of [...new Set(designs.flat())].sort((one, other) => one - other)) {
    const arms = designs.flatMap((design, arm) => (design.includes(token) ? [arm] : []));
    let kind = kinds.find((rowOf) => arms.every((arm) => rowOf[arm] === -1));
    if (kind === undefined) kinds.push((kind = new Int32Array(designs.length).fill(-1)));
    for (const arm of arms) kind[arm] = token;
  }
  return kinds;
}
