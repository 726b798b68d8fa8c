import { compareHashes, hash64 } from '../numbers/hash64.ts';
import type { LedgerRow } from './ledger-row.ts';
import { LtvTables } from './ltv-tables.ts';
import { projectionOf } from './project-value.ts';
import { SlopesOfRows } from './slopes-of-rows.ts';
import { held } from './tally.ts';

/** The share of extras that is taken as it is; what the rest is above them is spread over all rows. */
const quantile = 0.995;

/**
 * Of a label to learn from: what starts of the product and country bring on the variant; the rest is what this one did.
 * One outcome is mostly chance, and variants sell the same products: half of each was worth 2 to 3 % to the choice
 * (bench/selection).
 */
const pooledShare = 0.5;
/**
 * What a variant's starts of a product bring is drawn to what all of that product do as if so many starts more had
 * brought that: values of a product differ by some 11 % between variants, and one start's by 110 %. What all of the
 * product do is drawn to what was expected of them at first by as many.
 */
const pseudoStarts = 100;

/** One whose chain is told. */
export interface RowOfChain extends LedgerRow {
  /** The transaction chain's. */
  readonly id: string;
}

export interface LabelledRow {
  readonly row: RowOfChain;
  /** USD within the horizon, at least 0. */
  readonly label: number;
}

/** A ledger in its order of learning, by hash of id, with its labels to learn from: a function of the set of rows. */
export function labelStarts(ledger: Iterable<RowOfChain>, horizonDays: number, seed: string): readonly LabelledRow[] {
  const rows = inHashOrder(ledger, seed);
  const { toLearn } = labelRows(rows, horizonDays);
  return rows.map((row, index) => ({ row, label: toLearn[index] ?? 0 }));
}

/** Of rows, in their order. */
export interface Labels {
  /** What each is thought to bring, by what it did and what is expected of it still: what sides are compared by. */
  readonly labels: readonly number[];
  /** What to learn from each. */
  readonly toLearn: readonly number[];
  /** How what each is thought to bring grows with rates. */
  readonly slopes: SlopesOfRows;
}

/**
 * What rows are thought to bring. Few and huge extras would decide alone whom the model likes: they are capped, and
 * their excess goes to every label alike, so that the mean stays what it was.
 * @param rows in an order that is a function of their set
 */
export function labelRows(rows: readonly LedgerRow[], horizonDays: number, tables = new LtvTables(rows)): Labels {
  const [own, began]: [number[], number[]] = [[], []];
  const slopes = new SlopesOfRows(rows.length);
  rows.forEach((row, index) => {
    const projection = projectionOf(row, tables, horizonDays);
    own.push(projection.usd);
    began.push(projection.outsetUsd);
    slopes.set(index, projection.slopes);
  });
  const cap = quantileOf(rows.map(({ extrasUsd }) => extrasUsd));
  let excess = 0;
  for (const { extrasUsd } of rows) excess += extrasUsd > cap ? extrasUsd - cap : 0;
  const excessOfEach = rows.length > 0 ? excess / rows.length : 0;
  const labels = rows.map(({ extrasUsd }, index) => {
    const label = own[index]! + ((extrasUsd < cap ? extrasUsd : cap) + excessOfEach);
    return label > 0 ? label : 0;
  });
  return { labels, toLearn: labelsToLearn(rows, labels, own, began), slopes };
}

/** Less of chance than what each row itself is thought to bring, and the same on average. */
function labelsToLearn(
  rows: readonly LedgerRow[],
  labels: readonly number[],
  own: readonly number[],
  began: readonly number[],
): readonly number[] {
  const ofProducts = new Map<string, Brought>();
  /** By variant's row. */
  const onVariants: Map<string, Brought>[] = [];
  const sumsOf = ({ arm, product }: LedgerRow) => held((onVariants[arm] ??= new Map()), product, nothing);
  rows.forEach((row, index) => {
    addTo(held(ofProducts, row.product, nothing), own[index]!, began[index]!);
    addTo(sumsOf(row), own[index]!, began[index]!);
  });
  return rows.map((row, index) => {
    const ofProduct = drawnRatio(ofProducts.get(row.product)!, 1);
    const drawn = drawnRatio(sumsOf(row), ofProduct);
    const label = labels[index]! + pooledShare * (drawn * began[index]! - own[index]!);
    return label > 0 ? label : 0;
  });
}

/** USD of some starts. */
interface Brought {
  starts: number;
  /** By what they did. */
  own: number;
  /** As it was expected when they began. */
  began: number;
}

const nothing = (): Brought => ({ starts: 0, own: 0, began: 0 });

function addTo(sums: Brought, own: number, began: number): void {
  sums.starts++;
  sums.own += own;
  sums.began += began;
}

/** Times what was expected at first: as it was, drawn to another ratio where starts are few. */
function drawnRatio({ starts, own, began }: Brought, to: number): number {
  const ratio = began > 0 ? own / began : to;
  return to + (ratio - to) * (starts / (starts + pseudoStarts));
}

/** Rows by rising `hash64(seed, id)`: any arrival order gives the same. */
export function inHashOrder<Row extends { readonly id: string }>(rows: Iterable<Row>, seed: string): readonly Row[] {
  return [...rows]
    .map((row) => ({ row, hash: hash64(`${seed}\0${row.id}`) }))
    .sort((one, other) => compareHashes(one.hash, other.hash) || (one.row.id < other.row.id ? -1 : 1))
    .map(({ row }) => row);
}

/** The least amount that 99.5 % of the amounts do not exceed; 0 of none. */
export function quantileOf(amounts: readonly number[]): number {
  const rising = Float64Array.from(amounts).sort();
  return rising[Math.ceil(quantile * rising.length) - 1] ?? 0;
}
