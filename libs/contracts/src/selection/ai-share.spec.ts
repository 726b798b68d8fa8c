import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { TrafficEntry } from '../catalog/catalog-document.ts';
import { withAiShare, withAiShares } from './ai-share.ts';

const weight = fc.double({ min: 0.001, max: 1_000, noNaN: true });
const entry: fc.Arbitrary<TrafficEntry> = fc.oneof(
  fc.record({ target: fc.constant('ai_model' as const), weight }),
  fc.record({ target: fc.constant('baseline' as const), weight }),
  fc.record({ target: fc.constant('placement' as const), placement: fc.constant('settings'), weight }),
);
const sumOf = (traffic: readonly TrafficEntry[], target?: TrafficEntry['target']) =>
  traffic.reduce((sum, one) => sum + (target === undefined || one.target === target ? one.weight : 0), 0);

describe('withAiShare', () => {
  it('moves AI’s weight to Baseline, and leaves the others and the sum as they are', () =>
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1 }), fc.constantFrom(0, 0.5, 1), (traffic, aiShare) => {
        const reduced = withAiShare(traffic, aiShare);
        expect(sumOf(reduced)).toBeCloseTo(sumOf(traffic), 6);
        expect(sumOf(reduced, 'ai_model')).toBeCloseTo(aiShare * sumOf(traffic, 'ai_model'), 6);
        expect(reduced.filter(({ target }) => target === 'placement')).toEqual(
          traffic.filter(({ target }) => target === 'placement'),
        );
        expect(reduced.every((one) => one.weight > 0)).toBe(true);
      }),
    ));

  it('gives Baseline a place where it had none', () =>
    expect(withAiShare([{ target: 'ai_model', weight: 4 }], 0.5)).toEqual([
      { target: 'ai_model', weight: 2 },
      { target: 'baseline', weight: 2 },
    ]));
});

describe('withAiShares', () => {
  const traffic: readonly TrafficEntry[] = [{ target: 'ai_model', weight: 1 }];
  const document = { models: [{ id: 'main', traffic }, { id: '__proto__', traffic }] }; // prettier-ignore

  it('reduces the models that it names, and no other', () =>
    expect(withAiShares(document, { main: 0 }).models).toEqual([
      { id: 'main', traffic: [{ target: 'baseline', weight: 1 }] },
      { id: '__proto__', traffic },
    ]));

  it('is the document itself while nothing is held back', () => expect(withAiShares(document, {})).toBe(document));
});
