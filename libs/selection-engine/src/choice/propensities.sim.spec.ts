import { describe, expect, it } from '@jest/globals';
import { decide } from '../decide.ts';
import { noFacts } from '../features/no-facts.ts';
import { sketch } from '../testing/catalogs.ts';
import { chiSquareDeviate } from '../testing/chi-square.ts';
import { candidatesOf, sampleModel } from '../testing/sample-model.ts';
import { learnedPolicy } from './learned-policy.ts';
import { propensities } from './propensities.ts';

describe('propensities', () => {
  it('are how often AI and Baseline traffic show what they show', () => {
    const policy = learnedPolicy('abc', sampleModel().snapshot);
    const traffic = [{ target: 'ai_model', weight: 6 }, { target: 'baseline', weight: 2 }] as const; // prettier-ignore
    const names = ['p1', 'p2', 'p3'];
    for (const baseline of ['p2', 'p0']) {
      const catalog = sketch({ a: { traffic, candidates: names, baseline } });
      const given = { facts: noFacts, at: 0, placementId: 'a' };
      const { probabilities } = policy.choose(given, candidatesOf(4).slice(1));
      const p = propensities(probabilities, { ai: 6, baseline: 2 }, names.indexOf(baseline));
      const counts = new Map<string, number>();
      for (let index = 0; index < 40_000; index++) {
        const decision = decide({ ...given, seed: `${index}`, baselineOnly: false }, catalog, () => policy);
        if (decision.kind !== 'served') throw new Error(decision.kind);
        const { paywall } = decision.paywall;
        counts.set(paywall, (counts.get(paywall) ?? 0) + 1);
      }
      const shown = baseline === 'p2' ? names : ['p0', ...names];
      const expected = baseline === 'p2' ? [...p.candidates] : [p.baseline, ...p.candidates];
      expect(expected.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 12);
      expect(Math.abs(chiSquareDeviate(shown.map((one) => counts.get(one) ?? 0), expected))).toBeLessThan(4); // prettier-ignore
    }
  });
});
