import { exp } from '../numbers/exp.ts';
import { noMeans, type AdditiveModel } from './additive-model.ts';
import type { Block } from './block.ts';

/** A Newton step is at most that long, on the scale of logs. */
const longestStep = 1;
/** Steps between two passes: parts of a group explain the same cells, and take turns until they agree about them. */
const rounds = 3;

/**
 * To whom what was shown, and what came of it: two numbers an exposure (or start), one fixed, and one that follows what is
 * expected of it. Sums of both are all that a step needs to know of exposures that share its weights.
 */
export interface Outcomes {
  readonly count: number;
  /** The variant's row. */
  readonly arms: Uint16Array;
  /** By group: of every exposure the place of its value among the group's columns, from 1; 0 for none. */
  readonly places: readonly Uint16Array[];
  fixed(at: number): number;
  /** @param sum of its weights: the log of what is expected */
  moving(at: number, sum: number): number;
  /** What the moving number is multiplied by, where what is expected is multiplied by a factor. */
  follow(factor: number): number;
  /** The slope of the log likelihood, by sums of both numbers. */
  slope(fixed: number, moving: number): number;
  /** How sharply that slope is expected to fall. */
  curvature(fixed: number, moving: number): number;
}

/** Weights of which an exposure has at most one a group: a block, and the variants that share each of its rows. */
interface Part {
  readonly block: Block;
  readonly rows: readonly RowOfVariants[];
  /** Columns of a row: all of them, or the intercept alone. */
  readonly width: number;
  /** Of intercepts, by row: 0 where it says nothing. */
  readonly priorMeans: ArrayLike<number>;
  readonly means: Float64Array;
  readonly precisions: Float64Array;
}

interface RowOfVariants {
  readonly row: number;
  readonly variants: readonly number[];
}

/** What was observed of every variant (row) and value (place, from 1) of a group, row after row. */
export interface CrossedCells {
  readonly rows: number;
  /** Cells of a row; the first one is of no value. */
  readonly size: number;
  readonly fixed: Float64Array;
  readonly moving: Float64Array;
  /** What variants' and tokens' weights of the group add to the log of what is expected. */
  readonly crossed: Float64Array;
}

/**
 * Fits an additive model to all that was observed at once: the weights at which prior times likelihood is greatest.
 * Learned one by one, early exposures freeze weights that later ones would have moved, and what one variant's surprise did
 * to the weights it shares with others stays there; a fit has neither fault, and starts from where the model is.
 *
 * A sweep goes over groups and parts (shared, variants, kinds of tokens). The columns of a group exclude each other, so each
 * part's step is a Fisher scoring step of every weight by itself (backfitting). All parts of a group see of an
 * exposure its variant and value alone: they are fitted to the sums of those cells, between two passes over the exposures.
 * @see Hastie and Tibshirani, Generalized Additive Models, 1990
 */
export class AdditiveFit {
  readonly groups: number;
  readonly #seen: Outcomes;
  readonly #variants: number;
  readonly #shared: Part;
  readonly #arms: Part;
  readonly #tokens: readonly Part[];
  /** By group: its columns, in the order of their places. */
  readonly #columns: readonly (readonly number[])[];
  /** By group: the sums of its cells. */
  readonly #fixed: readonly Float64Array[];
  /** Of the group in hand: the cell of each exposure. */
  readonly #cells: Int32Array;
  /** Of each exposure, by now. */
  readonly #moving: Float64Array;

  /**
   * @param groups the dictionary's: of every column
   * @param designs by variant's row: its tokens' rows
   * @param priorMeans what intercepts are thought to be before any data
   */
  constructor(
    model: AdditiveModel,
    seen: Outcomes,
    groups: readonly number[],
    designs: readonly (readonly number[])[],
    priorMeans = noMeans,
  ) {
    this.#seen = seen;
    this.groups = seen.places.length;
    this.#variants = designs.length;
    this.#columns = columnsByGroup(groups, this.groups);
    const partOf = (
      block: Block,
      rows: readonly RowOfVariants[],
      width: number,
      means: ArrayLike<number> = [],
    ): Part => {
      const fitted = block.values('mean');
      return { block, rows, width, priorMeans: means, means: fitted, precisions: new Float64Array(fitted.length) };
    };
    const variants = designs.map((_, variant) => variant);
    const alone = variants.map((variant) => ({ row: variant, variants: [variant] }));
    this.#shared = partOf(model.shared, [{ row: 0, variants }], groups.length);
    this.#arms = partOf(model.arms, alone, groups.length, priorMeans.arms);
    const ofTokens = partOf(model.tokens, [], model.crossesTokens ? groups.length : 1, priorMeans.tokens);
    this.#tokens = kindsOfTokens(designs).map((rows) => ({ ...ofTokens, rows }));
    this.#cells = new Int32Array(seen.count);
    const fixed = new Float64Array(seen.count).map((_, at) => seen.fixed(at));
    const sums = new Float64Array(seen.count).fill(model.base);
    this.#fixed = this.#columns.map((_, group) => {
      const weights = this.#weightsOf([this.#shared, ...this.#crossing(group)], group);
      const cells = this.#findCells(group);
      for (let at = 0; at < sums.length; at++) sums[at]! += weights[cells[at]!]!;
      return sumUp(fixed, cells, weights.length);
    });
    this.#moving = sums.map((sum, at) => seen.moving(at, sum));
  }

  /** Some steps of every weight of a group. */
  fitGroup(group: number): void {
    const cells = this.#findCells(group);
    const moving = sumUp(this.#moving, cells, this.#fixed[group]!.length);
    const factors = new Float64Array(moving.length).fill(1);
    const parts = [this.#shared, ...this.#crossing(group)];
    for (let round = 0; round < rounds; round++) {
      for (const part of parts) this.#fitPart(part, group, moving, factors);
    }
    for (let cell = 0; cell < factors.length; cell++) factors[cell] = this.#seen.follow(factors[cell]!);
    for (let at = 0; at < cells.length; at++) this.#moving[at]! *= factors[cells[at]!]!;
  }

  /** Some steps of every weight. */
  sweep(): void {
    for (let group = 0; group < this.groups; group++) this.fitGroup(group);
  }

  /** Gives the model what was found. */
  finish(): void {
    const parts = [this.#shared, this.#arms, ...this.#tokens.slice(0, 1)];
    for (const { block, means, precisions } of parts) block.setFitted(means, precisions);
  }

  cellsOf(group: number): CrossedCells {
    const fixed = this.#fixed[group]!;
    return {
      rows: this.#variants,
      size: this.#columns[group]!.length + 1,
      fixed,
      moving: sumUp(this.#moving, this.#findCells(group), fixed.length),
      crossed: this.#weightsOf(this.#crossing(group), group),
    };
  }

  /** The parts in which variants differ. */
  #crossing(group: number): readonly Part[] {
    return [this.#arms, ...this.#tokens.filter(({ width }) => group === 0 || width > 1)];
  }

  /** Fits one part, and tells the cells of it: their moving sums, and what is expected of them in factors. */
  #fitPart(part: Part, group: number, moving: Float64Array, factors: Float64Array): void {
    const { block, rows, width, priorMeans, means, precisions } = part;
    const columns = this.#columns[group]!;
    const size = columns.length + 1;
    const fixed = this.#fixed[group]!;
    const prior = 1 / block.tau(group);
    for (const { row, variants } of rows) {
      const priorMean = group === 0 ? (priorMeans[row] ?? 0) : 0;
      for (let place = 1; place < size; place++) {
        const at = row * width + columns[place - 1]!;
        let sumOfFixed = 0;
        let sumOfMoving = 0;
        for (const variant of variants) {
          sumOfFixed += fixed[variant * size + place]!;
          sumOfMoving += moving[variant * size + place]!;
        }
        const curvature = this.#seen.curvature(sumOfFixed, sumOfMoving);
        const found =
          (this.#seen.slope(sumOfFixed, sumOfMoving) - (means[at]! - priorMean) * prior) / (curvature + prior);
        const step = found > longestStep ? longestStep : found < -longestStep ? -longestStep : found;
        precisions[at] = curvature;
        means[at]! += step;
        const factor = exp(step);
        const followed = this.#seen.follow(factor);
        for (const variant of variants) {
          factors[variant * size + place]! *= factor;
          moving[variant * size + place]! *= followed;
        }
      }
    }
  }

  #findCells(group: number): Int32Array {
    const { arms, places } = this.#seen;
    const ofGroup = places[group]!;
    const size = this.#columns[group]!.length + 1;
    for (let at = 0; at < this.#cells.length; at++) this.#cells[at] = arms[at]! * size + ofGroup[at]!;
    return this.#cells;
  }

  /** By cell: the sum of the weights that parts have for it. */
  #weightsOf(parts: readonly Part[], group: number): Float64Array {
    const columns = this.#columns[group]!;
    const size = columns.length + 1;
    const sums = new Float64Array(this.#variants * size);
    for (const { rows, width, means } of parts) {
      for (const { row, variants } of rows) {
        for (const variant of variants) {
          columns.forEach((column, index) => (sums[variant * size + index + 1]! += means[row * width + column]!));
        }
      }
    }
    return sums;
  }
}

/** By cell: the sums of a number that each exposure has. */
function sumUp(numbers: Float64Array, cells: Int32Array, count: number): Float64Array {
  const sums = new Float64Array(count);
  for (let at = 0; at < cells.length; at++) sums[cells[at]!]! += numbers[at]!;
  return sums;
}

function columnsByGroup(groups: readonly number[], count: number): readonly (readonly number[])[] {
  const columns = Array.from({ length: count }, (): number[] => []);
  groups.forEach((group, column) => columns[group]?.push(column));
  return columns;
}

/** Tokens sorted into kinds that no design has two of. */
function kindsOfTokens(designs: readonly (readonly number[])[]): readonly (readonly RowOfVariants[])[] {
  const kinds: RowOfVariants[][] = [];
  for (const row of [...new Set(designs.flat())].sort((one, other) => one - other)) {
    const variants = designs.flatMap((design, variant) => (design.includes(row) ? [variant] : []));
    const isApart = (other: RowOfVariants) => !other.variants.some((variant) => variants.includes(variant));
    const kind = kinds.find((tokens) => tokens.every(isApart));
    if (kind === undefined) kinds.push([{ row, variants }]);
    else kind.push({ row, variants });
  }
  return kinds;
}
