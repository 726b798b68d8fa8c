import { describe, expect, it } from '@jest/globals';
import { intervalOf, type MoneyOfProfile } from '../testing/money-of-profiles.ts';
import { randomNumbers } from '../testing/random-numbers.ts';

/** Three in a hundred pay: a week, a month or a year, and one in twenty payers for extras besides, lognormal. */
function paid(draw: () => number): MoneyOfProfile {
  if (draw() >= 0.03) return { impressions: 1, usd: 0 };
  const plan = draw();
  const subscription = plan < 0.5 ? 6.99 : plan < 0.85 ? 14.99 : 79.99;
  if (draw() >= 0.05) return { impressions: 1, usd: subscription };
  const normal = Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());
  return { impressions: 1, usd: subscription + Math.exp(2 + normal) };
}
const truth = 0.03 * (0.5 * 6.99 + 0.35 * 14.99 + 0.15 * 79.99 + 0.05 * Math.exp(2.5));

describe('ratioInterval', () => {
  it.each([2_000, 6_000])(
    'holds the true mean of %i impressions 95 times in a hundred, missed on both sides',
    (size) => {
      const draw = randomNumbers(size);
      const missed = { above: 0, below: 0 };
      const looks = 1_000;
      for (let look = 0; look < looks; look++) {
        const interval = intervalOf(Array.from({ length: size }, () => paid(draw)));
        if (interval !== null && interval.low > truth) missed.below += 1;
        if (interval !== null && interval.high < truth) missed.above += 1;
      }
      expect(missed.above + missed.below).toBeGreaterThan(0.025 * looks);
      expect(missed.above + missed.below).toBeLessThan(0.065 * looks);
      // Value ± 1.96 errors leaves the truth above it 4 to 6 times in a hundred, and hardly ever below.
      expect(missed.above).toBeLessThan(0.035 * looks);
      expect(missed.below).toBeGreaterThan(0.01 * looks);
    },
  );
});
