import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { answered, logging, logOf } from '../testing/logged-decisions.ts';
import type { LoggedDecision } from './logged-decision.ts';
import { dr, dros, snips } from './off-policy.ts';

const estimators = { snips, dr, dros };

describe.each(Object.entries(estimators))('%s', (_, estimator) => {
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
