import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fineBestArm } from '../testing/fine-best-arm.ts';
import { bestArm } from './best-arm.ts';

const probabilitiesOf = (means: readonly number[], variances: readonly number[]) => {
  const out = new Float64Array(means.length).fill(0.5); // what was there before counts for nothing
  bestArm(means, variances, out);
  return [...out];
};
const worst = (ones: readonly number[], others: readonly number[]) =>
  Math.max(...ones.map((one, index) => Math.abs(one - (others[index] ?? NaN))));

describe('bestArm', () => {
  // The errors that the grid's rule allows, by how much wider the widest is.
  it.each([
    [1, 1e-3],
    [10, 1.5e-3],
    [50, 0.03],
  ])('agrees with 20,000 cells, one deviation %d times the others’', (times, allowed) => {
    const arm = fc.tuple(fc.double({ min: -3, max: 3, noNaN: true }), fc.double({ min: 0.5, max: 1, noNaN: true }));
    fc.assert(
      fc.property(fc.array(arm, { minLength: 2, maxLength: 8 }), (arms) => {
        const means = arms.map(([mean]) => 0.1 * mean);
        const variances = arms.map(([, deviation], index) => (index === 0 ? 0.05 * times : 0.1 * deviation) ** 2);
        expect(worst(probabilitiesOf(means, variances), fineBestArm(means, variances))).toBeLessThan(allowed);
      }),
      { numRuns: 20 },
    );
  });

  it('adds up to 1 and knows no NaN, 1 to 200 candidates, however far apart', () => {
    const arm = fc.tuple(
      fc.double({ min: -700, max: 700, noNaN: true }),
      fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
    );
    fc.assert(
      fc.property(fc.array(arm, { minLength: 1, maxLength: 200 }), (arms) => {
        const probabilities = probabilitiesOf(arms.map(([mean]) => mean), arms.map(([, variance]) => variance)); // prettier-ignore
        expect(Math.abs(probabilities.reduce((sum, p) => sum + p, 0) - 1)).toBeLessThan(1e-12);
        expect(probabilities.every((p) => p >= 0 && p <= 1)).toBe(true);
      }),
    );
  });

  it('gives one candidate all, equal ones the same', () => {
    expect(probabilitiesOf([3], [1])).toEqual([1]);
    for (const variance of [1, 1e-6, 1e-300]) {
      for (const p of probabilitiesOf(
        [2, 2, 2, 2, 2],
        [1, 1, 1, 1, 1].map(() => variance),
      )) {
        expect(p).toBeCloseTo(0.2, 12);
      }
    }
  });

  it('takes the greatest mean where variances are tiny', () => {
    expect(probabilitiesOf([0, 1, 0.5], [1e-6, 1e-6, 1e-6])).toEqual([0, 1, 0]);
    expect(probabilitiesOf([1e300, 0], [1e-6, 1])).toEqual([1, 0]);
  });

  it.each([
    [[], []],
    [[NaN], [1]],
    [[Infinity], [1]],
    [[0], [0]],
    [[0], [-1]],
    [[0], [NaN]],
    [[0], [Infinity]],
  ])('refuses means %j, variances %j', (means, variances) => {
    expect(() => probabilitiesOf(means, variances)).toThrow(RangeError);
  });
});
