import { describe, expect, it } from '@jest/globals';
import { answered, logOf, truth, truths } from '../testing/logged-decisions.ts';
import { randomNumbers } from '../testing/random-numbers.ts';
import type { LoggedDecision } from './logged-decision.ts';
import { dr, dros, snips } from './off-policy.ts';

describe.each(Object.entries({ snips, dr, dros }))('%s', (_, estimator) => {
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
});
