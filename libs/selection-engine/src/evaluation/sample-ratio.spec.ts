import { describe, expect, it } from '@jest/globals';
import { randomNumbers } from '../testing/random-numbers.ts';
import type { Stratum } from '../trainer/side-sums.ts';
import { sampleRatioOf } from './sample-ratio.ts';

const side = (exposures: number) => ({ exposures, starts: 0, usd: 0, usdSquares: 0, rateErrorsUsd: {} });
const stratum = (share: number, ai: number, baseline: number): Stratum => {
  return { share, ai: side(ai), baseline: side(baseline) };
};

/** Draws so many, of which those of AI are shown so often. */
function drawn(next: () => number, size: number, share: number, shownOfAi = 1): Stratum {
  let [ai, baseline] = [0, 0];
  for (let index = 0; index < size; index++) {
    if (next() >= share) baseline++;
    else if (next() < shownOfAi) ai++;
  }
  return stratum(share, ai, baseline);
}

describe('sampleRatioOf', () => {
  it('is what was shown against what was drawn, over all shares', () => {
    const ratio = sampleRatioOf([stratum(0.9, 900, 100), stratum(0.5, 510, 490)]);
    expect(ratio).toEqual({ aiShare: 0.705, expectedAiShare: 0.7, isOff: false });
  });

  it('says nothing of a side that was not drawn, nor of a few', () => {
    expect(sampleRatioOf([])).toBeNull();
    expect(sampleRatioOf([stratum(1, 500, 0), stratum(0, 0, 500), stratum(0.9, 30, 10)])).toBeNull();
  });

  it('hardly ever takes chance for a loss', () => {
    const next = randomNumbers(1);
    let off = 0;
    for (let look = 0; look < 2_000; look++)
      if (sampleRatioOf([drawn(next, 300, 0.9), drawn(next, 200, 0.5)])?.isOff) off++;
    expect(off).toBeLessThan(10);
  });

  it('expects as many deviations as there are shares', () => {
    const deviating = (count: number) => Array.from({ length: count }, () => stratum(0.5, 5_150, 4_850)); // by 3 errors each
    expect(sampleRatioOf(deviating(1))?.isOff).toBe(false);
    expect(sampleRatioOf(deviating(10))?.isOff).toBe(true);
    const slightly = Array.from({ length: 10 }, () => stratum(0.5, 5_075, 4_925)); // by 1.5 errors each
    expect(sampleRatioOf(slightly)?.isOff).toBe(false);
  });

  it('finds that a tenth of one side is lost on the way', () => {
    const next = randomNumbers(2);
    expect(sampleRatioOf([drawn(next, 20_000, 0.9, 0.9)])).toMatchObject({ isOff: true });
    expect(sampleRatioOf([drawn(next, 20_000, 0.9)])).toMatchObject({ isOff: false });
  });
});
