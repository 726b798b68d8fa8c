import { describe, expect, it } from '@jest/globals';
import { drawIndex } from '../draw-index.ts';
import { noFacts } from '../features/no-facts.ts';
import { chiSquareDeviate } from '../testing/chi-square.ts';
import { candidatesOf, sampleModel } from '../testing/sample-model.ts';
import { uniform } from '../uniform.ts';
import { learnedPolicy } from './learned-policy.ts';

const policy = learnedPolicy('abc', sampleModel().snapshot);
const contextOf = (facts: Partial<typeof noFacts>) => ({ facts: { ...noFacts, ...facts }, at: 0, placementId: 'a' });

describe('a learned policy', () => {
  it('draws as it says over 10^6 commands', () => {
    const draws = Float64Array.from({ length: 1_000_000 }, (_, index) => uniform(`id-${index}`, 'arm/0'));
    for (const facts of [{ country: 'c1' }, { country: 'nowhere' }]) {
      const { probabilities } = policy.choose(contextOf(facts), candidatesOf(4));
      const counts = [0, 0, 0, 0];
      for (const draw of draws) counts[drawIndex(probabilities, draw)]!++;
      expect(Math.abs(chiSquareDeviate(counts, [...probabilities]))).toBeLessThan(3.5);
    }
  });
});
