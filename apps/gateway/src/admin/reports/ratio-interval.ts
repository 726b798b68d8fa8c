import type { ProfileSpread } from '@paywright/read-model';

/** Below that many profiles that paid, the tail of what people pay has hardly been seen: there is no interval. */
export const leastPayers = 30;

const normalQuantile = 1.959964;

/** 95 %, in USD a unique impression, or a draw. */
export interface RatioInterval {
  readonly low: number;
  readonly high: number;
}

/**
 * The 95 % interval of USD a unique impression (or a draw): a ratio of two sums over profiles, who are independent where their
 * purchases are not. Money is zero for most and large for few, so its mean is skewed long after it should be normal, and
 * value ± 1.96 errors falls short above. Hall's cubic transformation takes the skewness out of the studentised mean, and
 * is turned back for both ends: the interval reaches further up than down.
 *
 * The profiles' surpluses stand in for the values of a mean (the ratio's linearisation), so their mean is 0.
 * @param spread of the profiles around the ratio
 * @param impressions (or draws) in all of them, above 0
 * @returns null below 30 profiles that paid. For one look: who looks every day finds a difference some day
 * @see Hall, On the removal of skewness by transformation, Journal of the Royal Statistical Society B 54, 1992; Zhou and
 * Dinh, Nonparametric confidence intervals for the one- and two-sample problems, Biostatistics 6, 2005 (money with zeros);
 * Cochran, Sampling Techniques, 1977, section 6 (ratios)
 */
export function ratioInterval(ratio: number, spread: ProfileSpread, impressions: number): RatioInterval | null {
  const { profiles, payers, squaredSurplus, cubedSurplus } = spread;
  if (payers < leastPayers || profiles < 2 || impressions <= 0) return null;
  const variance = squaredSurplus / (profiles - 1);
  const skewness = variance > 0 ? cubedSurplus / profiles / variance ** 1.5 : 0;
  const error = Math.sqrt(variance * profiles) / impressions;
  const end = (quantile: number) => ratio - error * studentised(quantile, skewness, profiles);
  return { low: end(normalQuantile), high: end(-normalQuantile) };
}

/**
 * `ratioInterval` of money that nobody brings less than nothing of: where one profile brought nearly all, it would reach below
 * 0. Not cut if the mean itself is below, as refunds by another day's exchange rate can make it.
 */
export function earningsInterval(
  ...[ratio, spread, impressions]: Parameters<typeof ratioInterval>
): RatioInterval | null {
  const interval = ratioInterval(ratio, spread, impressions);
  return interval && { ...interval, low: ratio < 0 ? interval.low : Math.max(0, interval.low) };
}

/** What the studentised mean of `size` values falls short of with the normal quantile's chance: Hall's g, inverted. */
function studentised(quantile: number, skewness: number, size: number): number {
  const root = Math.sqrt(size);
  const third = skewness / 3;
  if (Math.abs(third) / root < 1e-6) return quantile;
  const inner = 1 + skewness * (quantile / root - skewness / (6 * size));
  return (root / third) * (Math.cbrt(inner) - 1);
}
