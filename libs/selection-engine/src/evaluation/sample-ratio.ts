import type { Stratum } from '../trainer/side-sums.ts';

/** Fewer than that on either side are not expected to be normal. */
const leastExpected = 5;
/** One in a thousand. */
const rareDeviate = 3.09;

/** AI's part of what AI and Baseline have shown, against the one that it was drawn with. */
export interface SampleRatio {
  readonly aiShare: number;
  readonly expectedAiShare: number;
  /** Whether chance explains the difference less than once in a thousand looks. */
  readonly isOff: boolean;
}

/**
 * Checks that both sides are shown as often as they are drawn. Where one is lost more often on the way (a paywall that fails
 * to open, an answer that comes too late), those who saw it are others than those who did not, and no comparison holds.
 * @returns null while too little was shown
 * @see Fabijan et al., Diagnosing Sample Ratio Mismatch in Online Controlled Experiments, KDD 2019; Wilson and Hilferty,
 * The distribution of chi-square, 1931
 */
export function sampleRatioOf(strata: readonly Stratum[]): SampleRatio | null {
  let [statistic, freedom, shown, ofAi, expectedOfAi] = [0, 0, 0, 0, 0];
  for (const { share, ai, baseline } of strata) {
    const size = ai.exposures + baseline.exposures;
    if (size * Math.min(share, 1 - share) < leastExpected) continue;
    statistic += (ai.exposures - size * share) ** 2 / (size * share * (1 - share));
    freedom += 1;
    shown += size;
    ofAi += ai.exposures;
    expectedOfAi += size * share;
  }
  if (freedom === 0) return null;
  const spread = 2 / (9 * freedom);
  const deviate = (Math.cbrt(statistic / freedom) - (1 - spread)) / Math.sqrt(spread);
  return { aiShare: ofAi / shown, expectedAiShare: expectedOfAi / shown, isOff: deviate > rareDeviate };
}
