import type { BlockSnapshot, ModelSnapshot } from '../snapshot/model-snapshot.ts';

/** Sums of variances of independent weights overstate the sum's: so much of each counts. */
const temper = 0.05;
const leastVariance = 1e-6;

/** A candidate as a table knows it: its row of the model or -1 if it is new, and its tokens' rows, -1 if they are. */
export interface ScoredArm {
  readonly row: number;
  readonly design: readonly number[];
}

/**
 * All that some candidates' scores are made of, one sum a candidate and column, in the order of use: for every
 * column, candidate after candidate. Float64 sums of the snapshot's Float32 numbers, in one order.
 */
export interface ScoringTable {
  readonly candidates: number;
  readonly mean: Float64Array;
  /** Tempered. */
  readonly variance: Float64Array;
  /** Tempered, of a value that the dictionary has not: for every group, candidate after candidate. */
  readonly unseenVariance: Float64Array;
  /** What is equal for all candidates: log USD per exposure, for every column. */
  readonly common: Float64Array;
}

export function scoringTable(snapshot: ModelSnapshot, arms: readonly ScoredArm[]): ScoringTable {
  const { starts, values } = snapshot;
  const columns = 1 + snapshot.entries.length;
  const groups = 1 + snapshot.fields.length;
  const groupOf = (column: number) => (column === 0 ? 0 : 1 + (snapshot.entries[column - 1]?.[0] ?? 0));
  const table: ScoringTable = {
    candidates: arms.length,
    mean: new Float64Array(columns * arms.length),
    variance: new Float64Array(columns * arms.length),
    unseenVariance: new Float64Array(groups * arms.length),
    common: new Float64Array(columns),
  };
  for (let column = 0; column < columns; column++) {
    table.common[column] = starts.shared.mean[column]! + values.shared.mean[column]!;
  }
  table.common[0]! += starts.base + values.base;
  arms.forEach((arm, candidate) => {
    for (const { block, row } of rowsOf(snapshot, arm)) {
      addRow(table, block, row, candidate, groupOf, block === values.tokens ? 1 : columns);
    }
  });
  return table;
}

const rowsOf = ({ starts, values }: ModelSnapshot, { row, design }: ScoredArm) => [
  { block: starts.arms, row },
  ...design.map((token) => ({ block: starts.tokens, row: token })),
  { block: values.arms, row },
  ...design.map((token) => ({ block: values.tokens, row: token })),
];

/** @param row -1 for one that the model has not: mean 0, variance tau */
function addRow(
  { candidates, mean, variance, unseenVariance }: ScoringTable,
  block: BlockSnapshot,
  row: number,
  candidate: number,
  groupOf: (column: number) => number,
  columns: number,
): void {
  for (let column = 0; column < columns; column++) {
    const at = column * candidates + candidate;
    mean[at]! += row < 0 ? 0 : block.mean[row * columns + column]!;
    variance[at]! += temper * (row < 0 ? block.tau[groupOf(column)]! : block.variance[row * columns + column]!);
  }
  for (let group = 0; group < block.tau.length; group++) {
    unseenVariance[group * candidates + candidate]! += temper * block.tau[group]!;
  }
}

/** Means and tempered variances of the candidates' ranks, and the log that is equal for all of them. */
export function score(table: ScoringTable, active: Int32Array, means: Float64Array, variances: Float64Array): number {
  const { candidates, mean, variance, unseenVariance } = table;
  let common = 0;
  means.fill(0);
  variances.fill(0);
  for (let group = 0; group < active.length; group++) {
    const column = active[group]!;
    if (column < 0) {
      const start = group * candidates;
      for (let candidate = 0; candidate < candidates; candidate++) {
        variances[candidate]! += unseenVariance[start + candidate]!;
      }
      continue;
    }
    common += table.common[column]!;
    const start = column * candidates;
    for (let candidate = 0; candidate < candidates; candidate++) {
      means[candidate]! += mean[start + candidate]!;
      variances[candidate]! += variance[start + candidate]!;
    }
  }
  for (let candidate = 0; candidate < candidates; candidate++) {
    if (!(variances[candidate]! > leastVariance)) variances[candidate] = leastVariance;
  }
  return common;
}
