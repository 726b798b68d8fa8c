import { momentOf, moments, type SelectedRunning, variables } from './sql/select-placement-days.sql.ts';
import type { SelectedComparison } from './sql/target-comparison.sql.ts';

/**
 * The spread of the difference between AI and Baseline at the end of a day. What a profile is beyond the means, in the
 * difference, is a sum of its four variables, each times a number that is the same for all: so the sums of its powers are sums
 * of products of variables, times products of these numbers.
 */
export function runningPowers(row: SelectedRunning): Pick<SelectedComparison, 'squares' | 'cubes'> {
  const numberOf = {
    ai_usd: 1 / row.ai_weight,
    ai_weight: -row.ai_mean_number / row.ai_weight,
    baseline_usd: -1 / row.baseline_weight,
    baseline_weight: row.baseline_mean_number / row.baseline_weight,
  };
  const sumOfPowers = (degree: number): number =>
    moments
      .filter((factors) => factors.length === degree)
      .map((factors) => {
        const numbers = factors.reduce((product, factor) => product * numberOf[factor], 1);
        return ordersOf(factors) * numbers * Number(row[momentOf(factors)]);
      })
      .reduce((sum, part) => sum + part, 0);
  return { squares: Math.max(0, sumOfPowers(2)), cubes: sumOfPowers(3) }; // rounding may leave squares below 0
}

/** In how many orders the factors of a product can stand. */
function ordersOf(factors: readonly (typeof variables)[number][]): number {
  const repeated = variables.map((one) => factors.filter((factor) => factor === one).length);
  return repeated.reduce((orders, times) => orders / factorial(times), factorial(factors.length));
}

const factorial = (n: number): number => (n <= 1 ? 1 : n * factorial(n - 1));
