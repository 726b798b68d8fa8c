import { exp } from '../numbers/exp.ts';
import { noMeans, type AdditiveModel } from './additive-model.ts';
import type { Block } from './block.ts';
import { columnsByGroup } from './columns-by-group.ts';

/** A Newton step is at most that long, on the scale of logs. */
const longestStep = 1;
/** Steps between two passes: parts of a group explain the same cells, and take turns until they agree about them. */
const rounds = 3;

/**
 * To whom what was shown, and what came of it: two numbers an exposure (or start), one fixed, and one that follows what is
 * expected of it. Sums of both are all that a step needs to know of exposures that share its weights.
 */
export interface Outcomes {
  /** Variant after variant, by row: where its first one stands; then how many there are. */
  readonly firsts: Uint32Array;
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
  /** By group: the fixed sums of its places, row after row. They stay as they are for as long as the fit goes on. */
  readonly fixed: Float64Array[];
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
  readonly #columns: readonly Int32Array[];
  /** By group: the sums of its cells. */
  readonly #fixed: readonly Float64Array[];
  /** Of each exposure, but for what is still to follow. */
  readonly #moving: Float64Array;
  /** Of the row in hand, by place; one for all, since a fit goes over a hundred thousand rows. */
  readonly #row: Readonly<Record<'sums' | 'raised' | 'followed', Float64Array>>;
  /** By group: the moving sums of its cells, as of its last step. */
  readonly #fitted: Float64Array[] = [];
  /** What exposures follow with the next pass over them. */
  #toFollow: Followed | null = null;

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
    const longest = this.#columns.reduce((most, { length }) => Math.max(most, length), 0);
    const ofRow = () => new Float64Array(longest + 1);
    this.#row = { sums: ofRow(), raised: ofRow(), followed: ofRow() };
    const partOf = (
      block: Block,
      rows: readonly RowOfVariants[],
      width: number,
      means: ArrayLike<number> = [],
    ): Part => {
      const fitted = block.values('mean');
      const precisions = new Float64Array(fitted.length);
      return { block, rows, width, priorMeans: means, means: fitted, precisions, fixed: [] };
    };
    const variants = designs.map((_, variant) => variant);
    const alone = variants.map((variant) => ({ row: variant, variants: [variant] }));
    this.#shared = partOf(model.shared, [{ row: 0, variants }], groups.length);
    this.#arms = partOf(model.arms, alone, groups.length, priorMeans.arms);
    const ofTokens = partOf(model.tokens, [], model.crossesTokens ? groups.length : 1, priorMeans.tokens);
    this.#tokens = kindsOfTokens(designs).map((rows) => ({ ...ofTokens, rows, fixed: [] }));
    const { fixed, told } = fixedOf(seen);
    const sums = new Float64Array(fixed.length).fill(model.base);
    this.#fixed = this.#columns.map((_, group) => {
      const weights = this.#weightsOf([this.#shared, ...this.#crossing(group)], group);
      this.#addWeights(sums, weights, group);
      return this.#sumUpFixed(fixed, told, group);
    });
    for (let at = 0; at < sums.length; at++) sums[at] = seen.moving(at, sums[at]!);
    this.#moving = sums;
  }

  /** Some steps of every weight of a group. */
  fitGroup(group: number): void {
    const moving = this.#sumUpMoving(group);
    const factors = new Float64Array(moving.length).fill(1);
    const parts = [this.#shared, ...this.#crossing(group)];
    for (let round = 0; round < rounds; round++) {
      for (const part of parts) this.#fitPart(part, group, moving, factors);
    }
    for (let cell = 0; cell < factors.length; cell++) factors[cell] = this.#seen.follow(factors[cell]!);
    this.#toFollow = { group, factors };
    this.#fitted[group] = moving;
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

  /** Of a group that was fitted: as of its last step, since a pass over all for what others did afterwards would tell no more. */
  cellsOf(group: number): CrossedCells {
    return {
      rows: this.#variants,
      size: this.#sizeOf(group),
      fixed: this.#fixed[group]!,
      moving: this.#fitted[group]!,
      crossed: this.#weightsOf(this.#crossing(group), group),
    };
  }

  /** The parts in which variants differ. */
  #crossing(group: number): readonly Part[] {
    return [this.#arms, ...this.#tokens.filter(({ width }) => group === 0 || width > 1)];
  }

  /** Fits one part, and tells the cells of it: their moving sums, and what is expected of them in factors. */
  #fitPart(part: Part, group: number, moving: Float64Array, factors: Float64Array): void {
    const seen = this.#seen;
    const { block, rows, width, priorMeans, means, precisions } = part;
    const columns = this.#columns[group]!;
    const size = columns.length + 1;
    const fixed = (part.fixed[group] ??= this.#fixedSumsOf(rows, group));
    const prior = 1 / block.tau(group);
    const { sums, raised, followed } = this.#row;
    for (let index = 0; index < rows.length; index++) {
      const { row, variants } = rows[index]!;
      const priorMean = group === 0 ? (priorMeans[row] ?? 0) : 0;
      sumUpRow(sums, moving, variants, size);
      for (let place = 1; place < size; place++) {
        const at = row * width + columns[place - 1]!;
        const sumOfFixed = fixed[index * size + place]!;
        const sumOfMoving = sums[place]!;
        if (sumOfMoving === 0 && sumOfFixed === 0 && means[at] === priorMean) {
          // Of what nobody was shown nothing is learned.
          precisions[at] = 0;
          raised[place] = followed[place] = 1;
          continue;
        }
        const curvature = seen.curvature(sumOfFixed, sumOfMoving);
        const found = (seen.slope(sumOfFixed, sumOfMoving) - (means[at]! - priorMean) * prior) / (curvature + prior);
        const step = found > longestStep ? longestStep : found < -longestStep ? -longestStep : found;
        precisions[at] = curvature;
        means[at]! += step;
        // Of what nobody was shown, the steps after the first are none.
        const factor = step === 0 ? 1 : exp(step);
        raised[place] = factor;
        followed[place] = seen.follow(factor);
      }
      for (const variant of variants) {
        const start = variant * size;
        for (let place = 1; place < size; place++) {
          factors[start + place]! *= raised[place]!;
          moving[start + place]! *= followed[place]!;
        }
      }
    }
  }

  /** Of rows of variants, the fixed sums of each of a group's places. */
  #fixedSumsOf(rows: readonly RowOfVariants[], group: number): Float64Array {
    const size = this.#sizeOf(group);
    const sums = new Float64Array(rows.length * size);
    rows.forEach(({ variants }, index) => sumUpRow(sums.subarray(index * size), this.#fixed[group]!, variants, size));
    return sums;
  }

  /** Cells of a variant: the first one is of no value. */
  #sizeOf(group: number): number {
    return this.#columns[group]!.length + 1;
  }

  /** Adds to a number of each exposure what its cell has. */
  #addWeights(sums: Float64Array, weights: Float64Array, group: number): void {
    const { firsts, places } = this.#seen;
    const ofGroup = places[group]!;
    const size = this.#sizeOf(group);
    for (let variant = 0; variant < this.#variants; variant++) {
      const [start, end] = [variant * size, firsts[variant + 1]!];
      for (let at = firsts[variant]!; at < end; at++) sums[at]! += weights[start + ofGroup[at]!]!;
    }
  }

  /** By cell. @param told the exposures whose number is not 0 */
  #sumUpFixed(fixed: Float64Array, told: Int32Array, group: number): Float64Array {
    const { firsts, places } = this.#seen;
    const ofGroup = places[group]!;
    const size = this.#sizeOf(group);
    const sums = new Float64Array(this.#variants * size);
    let variant = 0;
    for (let index = 0; index < told.length; index++) {
      const at = told[index]!;
      while (at >= firsts[variant + 1]!) variant++;
      sums[variant * size + ofGroup[at]!]! += fixed[at]!;
    }
    return sums;
  }

  /** By cell: the moving sums, once each exposure follows what was found of the group before. */
  #sumUpMoving(group: number): Float64Array {
    this.#follow();
    const { firsts, places } = this.#seen;
    const moving = this.#moving;
    const ofGroup = places[group]!;
    const size = this.#sizeOf(group);
    const sums = new Float64Array(this.#variants * size);
    for (let variant = 0; variant < this.#variants; variant++) {
      const [start, end] = [variant * size, firsts[variant + 1]!];
      for (let at = firsts[variant]!; at < end; at++) sums[start + ofGroup[at]!]! += moving[at]!;
    }
    return sums;
  }

  /** In a pass of its own: one that also sums up takes longer than both, as it waits for each sum. */
  #follow(): void {
    if (this.#toFollow === null) return;
    const { group, factors } = this.#toFollow;
    this.#toFollow = null;
    const { firsts, places } = this.#seen;
    const moving = this.#moving;
    const ofGroup = places[group]!;
    const size = this.#sizeOf(group);
    for (let variant = 0; variant < this.#variants; variant++) {
      const [start, end] = [variant * size, firsts[variant + 1]!];
      for (let at = firsts[variant]!; at < end; at++) moving[at]! *= factors[start + ofGroup[at]!]!;
    }
  }

  /** By cell: the sum of the weights that parts have for it. */
  #weightsOf(parts: readonly Part[], group: number): Float64Array {
    const columns = this.#columns[group]!;
    const size = columns.length + 1;
    const sums = new Float64Array(this.#variants * size);
    for (const { rows, width, means } of parts) {
      for (const { row, variants } of rows) {
        for (const variant of variants) {
          const [start, first] = [variant * size + 1, row * width];
          for (let index = 0; index < columns.length; index++) sums[start + index]! += means[first + columns[index]!]!;
        }
      }
    }
    return sums;
  }
}

/** By cell of a group: what the moving number of its exposures is to be multiplied by. */
interface Followed {
  readonly group: number;
  readonly factors: Float64Array;
}

/** The fixed number of each exposure, and which of them have another one than 0: of exposures, few start. */
function fixedOf(seen: Outcomes): { readonly fixed: Float64Array; readonly told: Int32Array } {
  const all = seen.firsts.at(-1) ?? 0;
  const fixed = new Float64Array(all);
  const told = new Int32Array(all);
  let count = 0;
  for (let at = 0; at < fixed.length; at++) {
    fixed[at] = seen.fixed(at);
    if (fixed[at] !== 0) told[count++] = at;
  }
  return { fixed, told: told.subarray(0, count) };
}

/** By place: the sums of the variants' cells, in their order. @param size of a variant's cells */
function sumUpRow(sums: Float64Array, cells: Float64Array, variants: readonly number[], size: number): void {
  for (let place = 0; place < size; place++) sums[place] = 0;
  for (const variant of variants) {
    const start = variant * size;
    for (let place = 0; place < size; place++) sums[place]! += cells[start + place]!;
  }
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
