import { describe, expect, it } from '@jest/globals';
import { propensities } from './propensities.ts';

describe('propensities', () => {
  it('share the traffic by its weights, Baseline’s to its paywall, be that a candidate or none', () => {
    const pi = Float64Array.of(0.25, 0.75);
    const weights = { ai: 6, baseline: 2 };
    const [first, second] = [0.25, 0.75].map((probability) => (6 * probability) / 8) as [number, number];
    expect(propensities(pi, weights, 1)).toEqual({
      candidates: Float64Array.of(first, second + 2 / 8),
      baseline: second + 2 / 8,
    });
    expect(propensities(pi, weights, -1)).toEqual({ candidates: Float64Array.of(first, second), baseline: 2 / 8 });
    expect(propensities(pi, { ai: 0, baseline: 2 }, 0).candidates).toEqual(Float64Array.of(1, 0));
  });

  it('are the policy’s own without Baseline traffic, and need some traffic', () => {
    const pi = Float64Array.of(0.25, 0.75);
    expect(propensities(pi, { ai: 3, baseline: 0 }, 0)).toEqual({ candidates: pi, baseline: 0.25 });
    for (const weights of [
      { ai: 0, baseline: 0 },
      { ai: -1, baseline: 2 },
      { ai: 2, baseline: -1 },
      { ai: NaN, baseline: 1 },
      { ai: Infinity, baseline: 1 },
    ]) {
      expect(() => propensities(pi, weights, 0)).toThrow(RangeError);
    }
  });
});
