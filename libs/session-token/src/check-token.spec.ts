import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkToken } from './check-token.ts';

const issuedAt = Date.UTC(2026, 0, 1);
const limitMs = 24 * 3_600_000 + 60_000;
const claims = {
  appId: 1,
  profileId: '01890a5d-ac96-774b-bcce-b302099a8057',
  decisionId: '01890a5d-ac96-774b-bcce-b302099a8058',
  placementId: 'onboarding',
  paywallId: 3,
  aiPricingModelId: 1,
  abTestId: null,
  isExperiment: true,
  issuedAt,
};
const shown = (now: number, appId = 1) => checkToken(claims, { appId, eventType: 'paywall_shown', now });

describe('checkToken', () => {
  it('takes a view for 24 hours and a minute, to the millisecond', () => {
    expect(shown(issuedAt + limitMs)).toBeNull();
    expect(shown(issuedAt + limitMs + 1)).toBe('expired');
  });

  it('takes a view by a clock that is behind the one that issued the token', () => {
    expect(shown(issuedAt - 3_600_000)).toBeNull();
  });

  it('takes every other event at any age', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9_]{1,64}$/), fc.nat(), (eventType, hours) => {
        fc.pre(eventType !== 'paywall_shown');
        expect(checkToken(claims, { appId: 1, eventType, now: issuedAt + hours * 3_600_000 })).toBeNull();
      }),
    );
  });

  it('looks at the app before the age', () => {
    expect(shown(issuedAt + limitMs + 1, 2)).toBe('wrong-app');
    expect(checkToken(claims, { appId: 2, eventType: 'dismissed', now: issuedAt })).toBe('wrong-app');
  });
});
