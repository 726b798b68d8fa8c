import { describe, expect, it } from '@jest/globals';
import { snips } from '@paywright/selection-engine';
import { ratioInterval } from '../reports/ratio-interval.ts';
import { decision } from '../testing/logged-decision.ts';
import { randomNumbers } from '../testing/random-numbers.ts';
import { weightedSpread } from './weighted-spread.ts';

describe('weightedSpread', () => {
  it('holds the truth about 95 times in a hundred where money is rare and skewed, and weights differ', () => {
    const draw = randomNumbers(3);
    const truth = 0.03 * (0.85 * 9 + 0.15 * 80);
    const missed = { above: 0, below: 0 };
    const looks = 300;
    for (let look = 0; look < looks; look++) {
      const log = Array.from({ length: 5_000 }, (_, index) => {
        const place = draw();
        const paid = draw() < 0.03 ? (draw() < 0.85 ? 9 : 80) : 0;
        return decision(`${index}`, place < 0.8 ? 0 : place < 0.9 ? 1 : 2, paid);
      });
      const estimate = snips(log);
      if (estimate.refused) throw new Error('refused');
      const { spread, weight } = weightedSpread(log, estimate.value);
      const { low, high } = ratioInterval(estimate.value, spread, weight) ?? { low: NaN, high: NaN };
      if (high < truth) missed.above += 1;
      if (low > truth) missed.below += 1;
      expect(spread.payers).toBeGreaterThan(30);
    }
    expect(missed.above + missed.below).toBeLessThan(0.08 * looks);
    expect(missed.above).toBeLessThan(0.045 * looks);
  });
});
