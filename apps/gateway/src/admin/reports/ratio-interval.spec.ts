import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { leastPayers, ratioInterval } from './ratio-interval.ts';

interface Profile {
  readonly impressions: number;
  readonly usd: number;
}

function summed(profiles: readonly Profile[]) {
  const whole = { impressions: 0, usd: 0 };
  for (const { impressions, usd } of profiles) {
    whole.impressions += impressions;
    whole.usd += usd;
  }
  const ratio = whole.usd / whole.impressions;
  const spread = { profiles: profiles.length, payers: 0, squaredSurplus: 0, cubedSurplus: 0 };
  for (const { impressions, usd } of profiles) {
    const surplus = usd - impressions * ratio;
    if (usd !== 0) spread.payers += 1;
    spread.squaredSurplus += surplus * surplus;
    spread.cubedSurplus += surplus * surplus * surplus;
  }
  return { impressions: whole.impressions, ratio, spread };
}
const intervalOf = (profiles: readonly Profile[]) => {
  const { impressions, ratio, spread } = summed(profiles);
  return ratioInterval(ratio, spread, impressions);
};

/** Numbers in [0, 1), a function of the seed (mulberry32): millions are drawn. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Three in a hundred pay: a week, a month or a year, and one in twenty payers for extras besides, lognormal. */
function paid(draw: () => number): Profile {
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
        const { ratio } = summed(profiles);
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
