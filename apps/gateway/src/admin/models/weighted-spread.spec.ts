import { describe, expect, it } from '@jest/globals';
import { decision } from '../testing/logged-decision.ts';
import { weightedSpread } from './weighted-spread.ts';

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
});
