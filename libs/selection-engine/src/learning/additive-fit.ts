import { exp } from '../numbers/exp.ts';
import type { AdditiveModel } from './additive-model.ts';
import type { Block } from './block.ts';

/** A Newton step is at most that long, on the scale of logs. */
const longestStep = 1;

/** To whom what was shown, and what came of it: one number an exposure (or start). */
export interface Outcomes {
  readonly count: number;
  /** The variant's row. */
  readonly arms: Uint16Array;
  /** By group: of every exposure the place of its value among the group's columns, from 1; 0 for none. */
  readonly places: readonly Uint16Array[];
  /** What is expected where the sum of all weights is 0. */
  scale(at: number): number;
  /**
   * Adds up, by cell, what the observed says against the expected.
   * @param cells of every exposure, -1 for none
   * @param surprise the slope of the log likelihood
   * @param curvature how sharply that slope is expected to fall
   */
  tell(cells: Int32Array, expected: Float64Array, surprise: Float64Array, curvature: Float64Array): void;
}

/** Weights of which an exposure has at most one a group: a block, and the row that each variant has in it, or -1. */
interface Part {
  readonly block: Block;
  readonly rowOf: Int32Array;
  /** Columns of a row: all of them, or the intercept alone. */
  readonly width: number;
  readonly means: Float64Array;
  readonly precisions: Float64Array;
}

/** What was observed of every variant (row) and value (place, from 1) of a group, row after row. */
export interface CrossedCells {
  readonly rows: number;
  /** Cells of a row; the first one is of no value. */
  readonly size: number;
  readonly surprise: Float64Array;
  readonly curvature: Float64Array;
  /** What variants' and tokens' weights of the group add to the log of what is expected. */
  readonly crossed: Float64Array;
}

/**
 * Fits an additive model to all that was observed at once: the weights at which prior times likelihood is greatest.
 * Learned one by one, early exposures freeze weights that later ones would have moved, and what one variant's surprise did
 * to the weights it shares with others stays there; a fit has neither fault, and starts from where the model is.
 *
 * A sweep goes over groups and parts (shared, variants, kinds of tokens). The columns of a group exclude each other, so each
 * part's step is a Fisher scoring step of every weight by itself (backfitting).
 * @see Hastie and Tibshirani, Generalized Additive Models, 1990
 */
export class AdditiveFit {
  readonly groups: number;
  readonly #seen: Outcomes;
  readonly #shared: Part;
  readonly #arms: Part;
  readonly #tokens: readonly Part[];
  /** By group: its columns, in the order of their places. */
  readonly #columns: readonly (readonly number[])[];
  /** What is expected of each exposure by now. */
  readonly #expected: Float64Array;
  /** Of the part and group in hand: of each exposure its cell, or -1. */
  readonly #cells: Int32Array;

  /**
   * @param groups the dictionary's: of every column
   * @param designs by variant's row: its tokens' rows
   */
  constructor(
    model: AdditiveModel,
    seen: Outcomes,
    groups: readonly number[],
    designs: readonly (readonly number[])[],
  ) {
    this.#seen = seen;
    this.groups = seen.places.length;
    this.#columns = columnsByGroup(groups, this.groups);
    const partOf = (block: Block, rowOf: Int32Array, width: number): Part => {
      const means = block.values('mean');
      return { block, rowOf, width, means, precisions: new Float64Array(means.length) };
    };
    const rows = Int32Array.from(designs, (_, row) => row);
    this.#shared = partOf(model.shared, new Int32Array(designs.length), groups.length);
    this.#arms = partOf(model.arms, rows, groups.length);
    const ofTokens = partOf(model.tokens, rows, model.crossesTokens ? groups.length : 1);
    this.#tokens = kindsOfTokens(designs).map((rowOf) => ({ ...ofTokens, rowOf }));
    this.#cells = new Int32Array(seen.count);
    this.#expected = new Float64Array(seen.count).fill(model.base);
    for (let group = 0; group < this.groups; group++) {
      for (const part of this.#partsOf(group)) this.#add(part, group);
    }
    for (let at = 0; at < seen.count; at++) this.#expected[at] = seen.scale(at) * exp(this.#expected[at]!);
  }

  /** One step of every weight of a group. */
  fitGroup(group: number): void {
    for (const part of this.#partsOf(group)) this.#fitPart(part, group);
  }

  /** One step of every weight. */
  sweep(): void {
    for (let group = 0; group < this.groups; group++) this.fitGroup(group);
  }

  /** Gives the model what was found. */
  finish(): void {
    const parts = [this.#shared, this.#arms, ...this.#tokens.slice(0, 1)];
    for (const { block, means, precisions } of parts) block.setFitted(means, precisions);
  }

  cellsOf(group: number): CrossedCells {
    const columns = this.#columns[group]!;
    const { block, means, width } = this.#arms;
    const size = columns.length + 1;
    const sums = this.#tell(this.#arms, group);
    const crossed = new Float64Array(block.rows * size);
    for (let row = 0; row < block.rows; row++) {
      columns.forEach((column, index) => {
        let sum = means[row * width + column]!;
        for (const token of this.#tokens) sum += token.means[token.rowOf[row]! * width + column] ?? 0;
        crossed[row * size + index + 1] = sum;
      });
    }
    return { rows: block.rows, size, ...sums, crossed };
  }

  #partsOf(group: number): readonly Part[] {
    const tokens = this.#tokens.filter(({ width }) => group === 0 || width > 1);
    return [this.#shared, this.#arms, ...tokens];
  }

  #fitPart(part: Part, group: number): void {
    const { block, rowOf, width, means, precisions } = part;
    const columns = this.#columns[group]!;
    const size = columns.length + 1;
    const { surprise, curvature } = this.#tell(part, group);
    const factors = surprise;
    const prior = 1 / block.tau(group);
    for (const row of new Set(rowOf)) {
      if (row < 0) continue;
      for (let place = 1; place < size; place++) {
        const at = row * width + columns[place - 1]!;
        const cell = row * size + place;
        const found = (surprise[cell]! - means[at]! * prior) / (curvature[cell]! + prior);
        const step = found > longestStep ? longestStep : found < -longestStep ? -longestStep : found;
        precisions[at] = curvature[cell]!;
        means[at]! += step;
        factors[cell] = exp(step);
      }
      factors[row * size] = 1;
    }
    for (let at = 0; at < this.#seen.count; at++) {
      const cell = this.#cells[at]!;
      if (cell >= 0) this.#expected[at]! *= factors[cell]!;
    }
  }

  /** What exposures say against the weights of a part, and how surely. */
  #tell(part: Part, group: number): { surprise: Float64Array; curvature: Float64Array } {
    const size = this.#columns[group]!.length + 1;
    this.#findCells(part, group, size);
    const surprise = new Float64Array(part.block.rows * size);
    const curvature = new Float64Array(part.block.rows * size);
    this.#seen.tell(this.#cells, this.#expected, surprise, curvature);
    return { surprise, curvature };
  }

  #findCells({ rowOf }: Part, group: number, size: number): void {
    const { count, arms, places } = this.#seen;
    const ofGroup = places[group]!;
    for (let at = 0; at < count; at++) {
      const row = rowOf[arms[at]!]!;
      this.#cells[at] = row < 0 ? -1 : row * size + ofGroup[at]!;
    }
  }

  #add({ rowOf, width, means }: Part, group: number): void {
    const { count, arms, places } = this.#seen;
    const ofGroup = places[group]!;
    const columns = this.#columns[group]!;
    for (let at = 0; at < count; at++) {
      const row = rowOf[arms[at]!]!;
      const place = ofGroup[at]!;
      if (row >= 0 && place > 0) this.#expected[at]! += means[row * width + columns[place - 1]!]!;
    }
  }
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
