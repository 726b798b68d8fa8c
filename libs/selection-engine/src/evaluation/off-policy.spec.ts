import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { randomNumbers } from '../testing/random-numbers.ts';
import type { Estimate, LoggedDecision } from './logged-decision.ts';
import { dr, dros, snips } from './off-policy.ts';

const truths = [0.5, 1, 2, 4];
const evaluated = [0.1, 0.2, 0.3, 0.4];
const logging = [0.4, 0.3, 0.2, 0.1];
const truth = truths.reduce((sum, value, place) => sum + value * (evaluated[place] ?? 0), 0);

const logOf = (seed: number, size: number, expected: readonly number[] = truths, profiles = size): LoggedDecision[] => {
  const next = randomNumbers(seed);
  return Array.from({ length: size }, (_, index) => {
    const u = next();
    const chosen = u < 0.4 ? 0 : u < 0.7 ? 1 : u < 0.9 ? 2 : 3;
    const reward = next() < 0.25 ? 4 * (truths[chosen] ?? 0) * 2 * next() : 0;
    const profile = `${index % profiles}`;
    return { profile, chosen, propensity: logging[chosen] ?? 0, policy: evaluated, expected, reward };
  });
};
const answered = (estimate: Estimate) => {
  if (estimate.refused) throw new Error(`refused at ${estimate.effectiveSampleSize}`);
  return estimate;
};
const estimators = { snips, dr, dros };

describe.each(Object.entries(estimators))('%s', (_, estimator) => {
  it.each([truths, [1, 1, 1, 1], [8, 4, 2, 1]])(
    'covers the truth about as often as it says, expecting %d, %d, %d, %d',
    (...expected) => {
      let covered = 0;
      for (let seed = 1; seed <= 200; seed++) {
        const { interval } = answered(estimator(logOf(seed, 2_000, expected)));
        if (interval[0] <= truth && truth <= interval[1]) covered++;
      }
      expect(covered).toBeGreaterThanOrEqual(180);
    },
  );

  it('of the logging policy is the mean of the log', () => {
    const log = logOf(1, 5_000).map((decision) => ({ ...decision, policy: logging, expected: [0, 0, 0, 0] }));
    const mean = log.reduce((sum, { reward }) => sum + reward, 0) / log.length;
    const { value, effectiveSampleSize, greatestWeight } = answered(estimator(log));
    // The shrunk one takes a little of every surprise away: lambda/(1 + lambda).
    expect(Math.abs(value / mean - 1)).toBeLessThan(estimator === dros ? 0.3 : 1e-9);
    expect(effectiveSampleSize).toBeCloseTo(5_000, 6);
    expect(greatestWeight).toBe(1);
  });

  it('refuses what the data cannot carry, with the effective sample size', () => {
    expect(estimator(logOf(1, 150))).toMatchObject({ refused: true });
    expect(answered(estimator(logOf(1, 150), { leastEffectiveSampleSize: 0 })).value).toBeGreaterThan(0);
    const unseen = logOf(1, 1_000).map((decision) => ({ ...decision, chosen: 0, policy: [0, 0, 0, 1] }));
    expect(estimator(unseen)).toEqual({ refused: true, effectiveSampleSize: 0 });
    expect(estimator(unseen, { leastEffectiveSampleSize: 0 })).toMatchObject({ refused: true });
  });

  it('takes a profile’s decisions for one', () => {
    const [log] = [logOf(1, 2_000)];
    const copied = [...log, ...log, ...log, ...log];
    const [once, again] = [log, copied].map((one) => answered(estimator(one)).standardError);
    expect(again).toBeCloseTo(once ?? NaN, 6);
  });

  it.each<[string, Partial<LoggedDecision>]>([
    ['propensity 0', { propensity: 0 }],
    ['propensity above 1', { propensity: 1.1 }],
    ['no propensity', { propensity: NaN }],
    ['unknown choice', { chosen: 7 }],
    ['no reward', { reward: NaN }],
    ['other candidates', { expected: [1] }],
  ])('refuses a log with %s', (_name, change) => {
    const log = logOf(1, 300).map((decision, index) => (index === 7 ? { ...decision, ...change } : decision));
    expect(() => estimator(log)).toThrow(RangeError);
  });

  it('refuses an empty log', () => expect(() => estimator([])).toThrow(RangeError));
});

describe('shrinkage', () => {
  it('helps where weights are wild', () => {
    const errors = { dr: 0, dros: 0 };
    for (let seed = 1; seed <= 60; seed++) {
      const next = randomNumbers(1_000 + seed);
      const log = logOf(seed, 3_000).map((decision): LoggedDecision => {
        const rare = next() < 0.002;
        return rare
          ? { ...decision, chosen: 3, propensity: 0.0005, reward: next() < 0.25 ? 32 * next() : 0 }
          : decision;
      });
      errors.dr += Math.abs(answered(dr(log, { leastEffectiveSampleSize: 0 })).value - truth);
      errors.dros += Math.abs(answered(dros(log, { leastEffectiveSampleSize: 0 })).value - truth);
    }
    expect(errors.dros).toBeLessThan(0.5 * errors.dr);
  });

  it('never goes beyond the list, nor answers NaN', () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.array(fc.double({ min: 0, max: 100, noNaN: true }), { minLength: 4, maxLength: 4 }),
        (seed, expected) => {
          const { lambda, value } = answered(dros(logOf(seed, 400, expected), { leastEffectiveSampleSize: 0 }));
          expect(lambda).toBeGreaterThanOrEqual(0.3);
          expect(Number.isFinite(value)).toBe(true);
        },
      ),
      { numRuns: 30 },
    );
  });
});
