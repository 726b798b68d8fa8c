import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { agrees, compareFacts, decisionFact, kinds, type Facts } from './facts.ts';

const facts = (decisions: readonly string[]): Required<Facts> => ({
  profiles: [],
  decisions,
  'views and clicks': [],
  'views of their decision': [],
  'unique impressions': [],
});
const compareDecisions = (acknowledged: readonly string[], found: readonly string[]) =>
  compareFacts(facts(acknowledged), { decisions: found })[0]!;
const someFacts = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 });

describe('compareFacts', () => {
  it('agrees with any order of the same facts', () => {
    fc.assert(
      fc.property(someFacts, fc.gen(), (all, random) => {
        const shuffled = [...all].sort(() => random(fc.integer, { min: -1, max: 1 }));
        expect(agrees(compareDecisions(all, shuffled))).toBe(true);
      }),
    );
  });

  it('names what is missing', () => {
    expect(compareDecisions(['a', 'b', 'b'], ['a', 'b'])).toMatchObject({ missing: ['b'], surplus: [] });
  });

  it('names what is there twice, and what nobody acknowledged', () => {
    expect(compareDecisions(['a'], ['a', 'a', 'c'])).toMatchObject({ missing: [], surplus: ['a', 'c'] });
  });

  it('never agrees when one fact was dropped or doubled', () => {
    fc.assert(
      fc.property(
        someFacts.filter(({ length }) => length > 0),
        fc.nat(),
        (all, at) => {
          const index = at % all.length;
          expect(agrees(compareDecisions(all, all.toSpliced(index, 1)))).toBe(false);
          expect(agrees(compareDecisions(all, [...all, all[index]!]))).toBe(false);
        },
      ),
    );
  });

  it('leaves out kinds that the place does not know', () => {
    expect(compareFacts(facts([]), { profiles: [] }).map(({ kind }) => kind)).toEqual(['profiles']);
    expect(compareFacts(facts([]), facts([])).map(({ kind }) => kind)).toEqual([...kinds]);
  });

  it('tells apart decisions of other profiles and paywalls', () => {
    const decision = { placementId: 'p', paywallId: 1, isExperiment: true, aiPricingModelId: 2 };
    const texts = [
      decisionFact('x', decision),
      decisionFact('y', decision),
      decisionFact('x', { ...decision, paywallId: 2 }),
      decisionFact('x', { ...decision, isExperiment: false }),
      decisionFact('x', { ...decision, aiPricingModelId: null }),
    ];
    expect(new Set(texts).size).toBe(texts.length);
  });
});
