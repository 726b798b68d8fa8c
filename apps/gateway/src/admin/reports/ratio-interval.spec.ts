import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { intervalOf, meanOf } from '../testing/money-of-profiles.ts';
import { leastPayers, ratioInterval } from './ratio-interval.ts';

describe('ratioInterval', () => {
  it('is the normal one where nothing is skewed', () => {
    const profiles = Array.from({ length: 1_000 }, (_, index) => ({ impressions: 1, usd: index % 2 === 0 ? 1 : 3 }));
    const error = 1 / Math.sqrt(999);
    const { low, high } = intervalOf(profiles) ?? { low: NaN, high: NaN };
    expect(low).toBeCloseTo(2 - 1.96 * error, 4);
    expect(high).toBeCloseTo(2 + 1.96 * error, 4);
  });

  it('reaches further to the side on which the large sums are', () =>
    fc.assert(
      fc.property(fc.integer({ min: 31, max: 400 }), fc.integer({ min: 2, max: 200 }), (payers, price) => {
        const profiles = Array.from({ length: 2_000 }, (_, index) => ({
          impressions: 1,
          usd: index < payers ? price : 0,
        }));
        const ratio = meanOf(profiles);
        const interval = intervalOf(profiles);
        expect(interval).not.toBeNull();
        expect(interval!.high - ratio).toBeGreaterThan(ratio - interval!.low);
        expect(interval!.low).toBeLessThan(ratio);
      }),
    ));

  it('counts money of profiles whose impression was elsewhere', () => {
    const seen = Array.from({ length: 500 }, (_, index) => ({ impressions: 1, usd: index < 40 ? 10 : 0 }));
    const elsewhere = Array.from({ length: 40 }, () => ({ impressions: 0, usd: 10 }));
    const { low, high } = intervalOf([...seen, ...elsewhere]) ?? { low: NaN, high: NaN };
    expect(low).toBeLessThan(1.6);
    expect(high).toBeGreaterThan(1.6);
  });

  it('says nothing of a few payers, or of nobody', () => {
    const payers = (count: number) =>
      Array.from({ length: 1_000 }, (_, index) => ({ impressions: 1, usd: index < count ? 5 : 0 }));
    expect(intervalOf(payers(leastPayers - 1))).toBeNull();
    expect(intervalOf(payers(leastPayers))).not.toBeNull();
    const nobody = { profiles: 0, payers: 0, squaredSurplus: 0, cubedSurplus: 0 };
    expect(ratioInterval(0, nobody, 0)).toBeNull();
  });
});
