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

  it('tells of Baseline drawn', () =>
    expect(decisionSentence(decisionRow(id, {}, withTraffic({ target: 'baseline', weight: 8 })))).toBe(
      'Placement "onboarding" drew its Baseline target (weight 8): paywall "calm_v1" (1). Decided in 4 ms by catalog revision 1.',
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
    expect(decisionSentence({ ...decisionRow(id, bold, aiAlone), superseded: true })).toMatch(
      / It was superseded: the client was answered by another decision\.$/,
    );
  });
});
