/**
 * How far counts are from what the weights expect, as a normal deviate: beyond 4 about 3 times in 100,000.
 * @param weights > 0, one a count
 * @see Wilson and Hilferty, The distribution of chi-square, 1931
 */
export function chiSquareDeviate(counts: readonly number[], weights: readonly number[]): number {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const weight = weights.reduce((sum, one) => sum + one, 0);
  const statistic = counts.reduce((sum, count, index) => {
    const expected = (total * (weights[index] ?? 0)) / weight;
    return sum + (count - expected) ** 2 / expected;
  }, 0);
  const freedom = counts.length - 1;
  const spread = 2 / (9 * freedom);
  return (Math.cbrt(statistic / freedom) - (1 - spread)) / Math.sqrt(spread);
}
