import { normalCdf } from '../numbers/normal-cdf.ts';

const cells = 20_000;

/** What `bestArm` approximates, by 20,000 cells and every product in full. */
export function fineBestArm(means: readonly number[], variances: readonly number[]): number[] {
  const deviations = variances.map(Math.sqrt);
  const low = Math.max(...means.map((mean, arm) => mean - 8 * (deviations[arm] ?? 0)));
  const high = Math.max(...means.map((mean, arm) => mean + 8 * (deviations[arm] ?? 0)));
  const edges = Float64Array.from({ length: cells + 1 }, (_, cell) => low + ((high - low) * cell) / cells);
  const below = means.map((mean, arm) => edges.map((edge) => normalCdf((edge - mean) / (deviations[arm] ?? 0))));
  const sums = below.map((own, arm) => {
    const others = below.filter((_, other) => other !== arm);
    let sum = 0;
    for (let cell = 0; cell < cells; cell++) {
      let chance = own[cell + 1]! - own[cell]!;
      for (const other of others) chance *= (other[cell]! + other[cell + 1]!) / 2;
      sum += chance;
    }
    return sum;
  });
  const total = sums.reduce((all, sum) => all + sum, 0);
  return sums.map((sum) => sum / total);
}
