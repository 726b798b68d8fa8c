/**
 * What came of one exposure: the indexes of its weights, and the slope and curvature of its log likelihood at a sum of
 * them.
 */
export interface DenseObservation {
  readonly weights: readonly number[];
  readonly slope: (sum: number) => number;
  readonly curvature: (sum: number) => number;
}

/**
 * The weights at which independent normal priors times likelihood are greatest, slowly and plainly: Newton's method on all
 * of them at once, with the whole matrix of second derivatives, halving a step that does not help.
 * @param precisions of the priors, one a weight
 * @param means of the priors, one a weight
 */
export function denseFit(
  precisions: readonly number[],
  observations: readonly DenseObservation[],
  means = precisions.map(() => 0),
): readonly number[] {
  let weights = precisions.map(() => 0);
  for (let round = 0; round < 200; round++) {
    const slope = precisions.map((precision, at) => -precision * (weights[at]! - means[at]!));
    const matrix = precisions.map((precision, at) => precisions.map((_, other) => (at === other ? precision : 0)));
    for (const one of observations) {
      const sum = one.weights.reduce((total, at) => total + weights[at]!, 0);
      for (const at of one.weights) {
        slope[at]! += one.slope(sum);
        for (const other of one.weights) matrix[at]![other]! += one.curvature(sum);
      }
    }
    const step = solve(matrix, slope);
    const longest = Math.max(...step.map(Math.abs));
    const share = longest > 0.5 ? 0.5 / longest : 1;
    weights = weights.map((weight, at) => weight + share * step[at]!);
    if (longest < 1e-12) break;
  }
  return weights;
}

/** Gauss's elimination, the greatest pivot first. */
function solve(matrix: readonly number[][], right: readonly number[]): readonly number[] {
  const rows = matrix.map((row, at) => [...row, right[at]!]);
  for (let column = 0; column < rows.length; column++) {
    let pivot = column;
    for (let row = column; row < rows.length; row++)
      if (Math.abs(rows[row]![column]!) > Math.abs(rows[pivot]![column]!)) pivot = row;
    [rows[column], rows[pivot]] = [rows[pivot]!, rows[column]!];
    for (let row = 0; row < rows.length; row++) {
      if (row === column) continue;
      const times = rows[row]![column]! / rows[column]![column]!;
      for (let at = column; at <= rows.length; at++) rows[row]![at]! -= times * rows[column]![at]!;
    }
  }
  return rows.map((row, at) => row[rows.length]! / row[at]!);
}
