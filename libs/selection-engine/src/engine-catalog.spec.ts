import { describe, expect, it } from '@jest/globals';
import { toEngineCatalog, type CatalogSource } from './engine-catalog.ts';

const document: CatalogSource = {
  paywalls: [
    { id: 'calm', externalId: 'calm_v1' },
    { id: 'bold', externalId: 'bold_v1' },
  ],
  models: [{ id: 'main', abTestId: 9, candidates: ['bold', 'calm'], traffic: [{ target: 'ai_model', weight: 1 }] }],
  placements: [{ id: 'onboarding', baseline: 'bold', model: 'main', stickyFor: 'P7D' }],
};
const ids = { paywalls: { calm: 1, bold: 2 }, models: { main: 5 } };

describe('toEngineCatalog', () => {
  it('resolves every name, candidates by rising integer', () => {
    const { revision, placements } = toEngineCatalog(3, document, ids);
    const calm = { paywall: 'calm', paywallId: 1, externalId: 'calm_v1' };
    const bold = { paywall: 'bold', paywallId: 2, externalId: 'bold_v1' };
    expect(revision).toBe(3);
    expect(placements.get('onboarding')).toEqual({
      id: 'onboarding',
      baseline: bold,
      stickyFor: 'P7D',
      model: { id: 'main', modelId: 5, abTestId: 9, candidates: [calm, bold], traffic: document.models[0]?.traffic },
    });
  });

  it.each<[string, Partial<CatalogSource>]>([
    ['paywall gone', { models: [{ id: 'main', abTestId: null, candidates: ['gone'], traffic: [] }] }],
    ['paywall gone', { placements: [{ id: 'p', baseline: 'gone', model: null, stickyFor: null }] }],
    ['model gone', { placements: [{ id: 'p', baseline: 'calm', model: 'gone', stickyFor: null }] }],
    ['integer of paywall toString', { paywalls: [...document.paywalls, { id: 'toString', externalId: 'x' }] }],
    [
      'placement gone',
      { models: [{ ...document.models[0]!, traffic: [{ target: 'placement', placement: 'gone', weight: 1 }] }] },
    ],
  ])('names what the document lacks: %s', (what, change) => {
    expect(() => toEngineCatalog(1, { ...document, ...change }, ids)).toThrow(
      new RangeError(`The catalog has no ${what}.`),
    );
  });
});
