import { describe, expect, it } from '@jest/globals';
import { decisionRow, withTraffic } from '../testing/decision-records.ts';
import { decisionSentence } from './decision-sentence.ts';

const id = '0190a5b0-0000-7000-8000-00000000000a';
const aiAlone = withTraffic({ target: 'ai_model', weight: 90 });
const bold = { paywall: 'bold', paywallId: 2, externalId: 'bold' };
const calm = { paywall: 'calm', paywallId: 1, externalId: 'calm_v1' };

describe('decisionSentence', () => {
  it('tells of the AI model', () =>
    expect(decisionSentence(decisionRow(id, bold, aiAlone))).toBe(
      'Placement "onboarding" drew its AI model (weight 90), and model version uniform-1 chose paywall "bold" (2), ' +
        'one of 2 candidates, with probability 50%. Decided in 4 ms by catalog revision 1.',
    ));

  describe('of a model that has learned', () => {
    const figures = { score: 0, variance: 0.1, probability: 0.5, propensity: 0.5 };
    const weighing = {
      ...{ model: 'main', policy: 'learned-1:0', aiWeight: 90, baselineWeight: 0, utcOffsetMinutes: null },
      ...{ baselinePaywall: 'calm', baselinePropensity: 0.5 },
      // Half of what it thinks, as came of earlier promises.
      calibration: { alpha: Math.log(0.5), beta: 1, horizonDays: 180 },
    };
    const saying = (values: Record<string, number>) => {
      const candidates = Object.entries(values).map(([paywall, value]) => ({ ...figures, paywall, value }));
      return decisionSentence(decisionRow(id, { ...bold, weighing: { ...weighing, candidates } }, aiAlone));
    };

    it('tells what it expected, as people are shown it, and of the next best', () =>
      expect(saying({ calm: 0.0724, bold: 0.08426 })).toContain(
        'with probability 50%: it expected 0.0421 USD of showing it, within 180 days of a start, and 0.0362 USD of the next best, "calm_v1" (1).',
      ));

    it('tells of the best that it did not show', () =>
      expect(saying({ calm: 2.5, bold: 0.08426 })).toContain(
        'it expected 0.0421 USD of showing it, within 180 days of a start, and 1.25 USD of the best, "calm_v1" (1).',
      ));

    it('tells of an only candidate', () =>
      expect(saying({ bold: 1 })).toContain('it expected 0.5 USD of showing it, within 180 days of a start.'));
  });

  it('tells of Baseline drawn', () =>
    expect(decisionSentence(decisionRow(id, {}, withTraffic({ target: 'baseline', weight: 8 })))).toBe(
      'Placement "onboarding" drew its Baseline target (weight 8): paywall "calm_v1" (1). Decided in 4 ms by catalog revision 1.',
    ));

  it('tells of AI that a guard or a person held back, so that weights are not the catalog’s', () =>
    expect(
      decisionSentence(
        decisionRow(id, { aiShares: { main: 0.25 } }, withTraffic({ target: 'baseline', weight: 75.5 })),
      ),
    ).toBe(
      'Placement "onboarding" drew its Baseline target (weight 75.5): paywall "calm_v1" (1). Decided in 4 ms by catalog ' +
        'revision 1. AI was held back to 25% of its weight in model "main", and Baseline had the rest.',
    ));

  it('tells of the way through another placement', () =>
    expect(
      decisionSentence(decisionRow(id, {}, withTraffic({ target: 'placement', placement: 'settings', weight: 2 }))),
    ).toBe(
      'Placement "onboarding" sent the request on to placement "settings" (weight 2), which served its Baseline paywall ' +
        '"calm_v1" (1) without a draw, since it has no model. Decided in 4 ms by catalog revision 1.',
    ));

  it('tells of a request without a profile id', () =>
    expect(
      decisionSentence(
        decisionRow(id, { ...calm, path: [{ placementId: 'onboarding', target: 'baseline', weight: null }] }, aiAlone),
      ),
    ).toContain('without a draw, since the request named no profile id.'));

  it('tells of a sticky choice, of a fallback, and of one that was superseded', () => {
    expect(decisionSentence(decisionRow(id, { ...bold, stickyTo: 'first' }, aiAlone))).toBe(
      'Placement "onboarding" keeps a profile\'s first choice for a while, so it repeated decision first: paywall "bold" (2). ' +
        'Decided in 4 ms by catalog revision 1.',
    );
    expect(decisionSentence(decisionRow(id, { ...calm, fallback: 'deadline' }, aiAlone))).toBe(
      'Placement "onboarding" fell back to its Baseline paywall "calm_v1" (1): selection did not answer in time. ' +
        'Decided after 4 ms by catalog revision 1.',
    );
    expect(decisionSentence(decisionRow(id, { ...calm, fallback: 'unavailable' }, aiAlone))).toContain(
      ': selection gave no decision that could be served.',
    );
    expect(decisionSentence({ ...decisionRow(id, bold, aiAlone), superseded: true })).toMatch(
      / It was superseded: the client was answered by another decision\.$/,
    );
  });
});
