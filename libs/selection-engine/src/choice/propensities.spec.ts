import { describe, expect, it } from '@jest/globals';
import { propensities } from './propensities.ts';

describe('propensities', () => {
  it('are the policy’s own without Baseline traffic, and need some traffic', () => {
    const pi = Float64Array.of(0.25, 0.75);
    expect(propensities(pi, { ai: 3, baseline: 0 }, 0)).toEqual({ candidates: pi, baseline: 0.25 });
    for (const weights of [
      { ai: 0, baseline: 0 },
      { ai: -1, baseline: 2 },
      { ai: NaN, baseline: 1 },
    ]) {
      expect(() => propensities(pi, weights, 0)).toThrow(RangeError);
    }
  });
});
