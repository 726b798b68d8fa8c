import { describe, expect, it } from '@jest/globals';
import { snips, type LoggedDecision } from '@paywright/selection-engine';
import { ratioInterval } from '../reports/ratio-interval.ts';
import { weightedSpread } from './weighted-spread.ts';

const logging = [0.8, 0.1, 0.1];
const evenly = [1 / 3, 1 / 3, 1 / 3];
const decision = (profile: string, chosen: number, reward: number): LoggedDecision => ({
  ...{ profile, chosen, reward, propensity: logging[chosen] ?? 0, policy: evenly, expected: [0, 0, 0] },
});

/** Numbers in [0, 1), a function of the seed (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

describe('weightedSpread', () => {
  it('takes a profile’s decisions together, and weighs who earned', () => {
    const { spread, weight } = weightedSpread([decision('a', 0, 6), decision('a', 1, 0), decision('b', 2, 3)], 2);
    const [rare, often] = [1 / 0.3, 1 / 2.4];
    expect(weight).toBeCloseTo(2 * rare + often, 12);
    expect(spread.profiles).toBe(2);
    expect(spread.squaredSurplus).toBeCloseTo((4 * often - 2 * rare) ** 2 + rare ** 2, 9);
    expect(spread.cubedSurplus).toBeCloseTo((4 * often - 2 * rare) ** 3 + rare ** 3, 9);
    expect(spread.payers).toBeCloseTo((often + rare) ** 2 / (often ** 2 + rare ** 2), 12);
  });

  it('has as many payers as paid where all weigh alike, and none where nobody did', () => {
    const alike = ['a', 'b', 'c', 'd'].map((profile) => decision(profile, 1, profile === 'd' ? 0 : 5));
    expect(weightedSpread(alike, 3).spread.payers).toBeCloseTo(3, 12);
    expect(weightedSpread([decision('a', 1, 0)], 0).spread.payers).toBe(0);
  });

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
