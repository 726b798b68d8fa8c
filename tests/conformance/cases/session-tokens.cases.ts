import assert from 'node:assert/strict';
import { fetchPaywall, newProfileId } from '../bodies.ts';
import { section } from '../case.ts';
import { accepted, refused } from '../expectations.ts';
import { reportedEvents } from '../timeline.ts';

const tokens = section('Events: token rules');
const invalidMessage = 'paywallSessionId is not a valid Paywright paywall session token.';
const wrongAppMessage = 'paywallSessionId was issued for a different app.';

const shown = (profileId: string, paywallSessionId: unknown, fields: object = {}) => ({
  eventType: 'paywall_shown',
  profileId,
  paywallSessionId,
  ...fields,
});

/** The token with one character replaced by another that tokens use. */
const flipped = (token: string, index: number): string =>
  token.slice(0, index) + (token[index] === 'A' ? 'B' : 'A') + token.slice(index + 1);

export const sessionTokenCases = [
  tokens.withPlacement('A token alone is enough for paywall_shown', async ({ app, placement }) => {
    const profileId = await newProfileId(app);
    const { paywallSessionId } = await fetchPaywall(app, profileId, placement);
    accepted(await app.v1('/events', [shown(profileId, paywallSessionId)]), 200);
  }),
  tokens.withPlacement('v2’s token is taken too', async ({ app, placement }) => {
    const profileId = await newProfileId(app);
    const { paywallSessionId } = accepted(await app.v2('/paywall', { profileId, placementId: placement }));
    accepted(await app.v1('/events', [shown(profileId, paywallSessionId)]), 200);
  }),
  tokens.withPlacement('A token may be echoed more than once', async ({ app, placement }) => {
    const profileId = await newProfileId(app);
    const { paywallSessionId } = await fetchPaywall(app, profileId, placement);
    const batch = [shown(profileId, paywallSessionId), shown(profileId, paywallSessionId, { eventType: 'closed' })];
    for (let time = 0; time < 2; time++) accepted(await app.v1('/events', batch), 200);
  }),
  tokens.withKey('Malformed: 400 SESSION_TOKEN_INVALID with the named message', async (app) => {
    const profileId = await newProfileId(app);
    for (const token of ['x', 'a.b.c', '....', '\u{1f600}', ' ', 'A'.repeat(200), 'A'.repeat(4096)])
      assert.equal(
        refused(await app.v1('/events', [shown(profileId, token)]), 400, 'SESSION_TOKEN_INVALID').error,
        invalidMessage,
      );
  }),
  tokens.withKey('9a: an empty token, one of another type, one of more than 4096: 400', async (app) => {
    const profileId = await newProfileId(app);
    for (const token of ['', 7, {}, [], 'A'.repeat(4097)])
      assert.equal((await app.v1('/events', [shown(profileId, token)])).status, 400);
  }),
  tokens.withPlacement(
    'Truncated or with any character changed: 400 SESSION_TOKEN_INVALID',
    async ({ app, placement }) => {
      const profileId = await newProfileId(app);
      const { paywallSessionId: token } = await fetchPaywall(app, profileId, placement);
      const step = Math.max(1, Math.floor(token.length / 40));
      for (let index = 0; index < token.length; index += step)
        for (const altered of [flipped(token, index), token.slice(0, index) || 'A', token.slice(index + 1) || 'A'])
          refused(await app.v1('/events', [shown(profileId, altered)]), 400, 'SESSION_TOKEN_INVALID');
      for (const altered of [`${token}A`, `${token}=`, ` ${token}`, `${token}\n`])
        refused(await app.v1('/events', [shown(profileId, altered)]), 400, 'SESSION_TOKEN_INVALID');
    },
  ),
  tokens.withAdmin(
    'Issued for a different app: 400 SESSION_TOKEN_WRONG_APP with the named message',
    async ({ app, otherApp }) => {
      const { paywallSessionId } = await fetchPaywall(otherApp, await newProfileId(otherApp), 'plain');
      const answer = await app.v1('/events', [shown(await newProfileId(app), paywallSessionId)]);
      assert.equal(refused(answer, 400, 'SESSION_TOKEN_WRONG_APP').error, wrongAppMessage);
    },
  ),
  tokens.withKey('The token of any event type is checked', async (app) => {
    const event = shown(await newProfileId(app), 'no token', { eventType: 'closed' });
    refused(await app.v1('/events', [event]), 400, 'SESSION_TOKEN_INVALID');
  }),
  tokens.withAdmin('A token that fails yields 400 and nothing is stored', async (own) => {
    const profileId = await newProfileId(own.app);
    const { paywallSessionId } = await fetchPaywall(own.otherApp, await newProfileId(own.otherApp), 'plain');
    for (const token of [paywallSessionId, 'no token'])
      assert.equal(
        (await own.app.v1('/events', [{ eventType: 'opened', profileId }, shown(profileId, token)])).status,
        400,
      );
    assert.deepEqual(await reportedEvents(own, profileId), []);
  }),
  tokens.withAdmin(
    'The service supplies paywallId, placementId, aiPricingModelId and isExperiment from the token',
    async (own) => {
      const profileId = await newProfileId(own.app);
      const paywall = await fetchPaywall(own.app, profileId, 'via');
      accepted(await own.app.v1('/events', [shown(profileId, paywall.paywallSessionId)]), 200);
      const [event] = await reportedEvents(own, profileId);
      assert.deepEqual(
        [event.paywallId, event.placementId, event.aiPricingModelId, event.isExperiment],
        [paywall.id, 'via', paywall.aiPricingModelId, false],
      );
    },
  ),
  tokens.withAdmin('When token and explicit fields disagree the token’s values are stored', async (own) => {
    const profileId = await newProfileId(own.app);
    const paywall = await fetchPaywall(own.app, profileId, 'calm-only');
    const lies = {
      paywallId: 1_000_000,
      placementId: 'plain',
      aiPricingModelId: null,
      isExperiment: false,
      abTestId: 5,
    };
    accepted(await own.app.v1('/events', [shown(profileId, paywall.paywallSessionId, lies)]), 200);
    const [event] = await reportedEvents(own, profileId);
    assert.deepEqual(
      [event.paywallId, event.placementId, event.aiPricingModelId, event.isExperiment, event.abTestId],
      [paywall.id, 'calm-only', paywall.aiPricingModelId, true, null],
    );
  }),
  tokens.withAdmin(
    'A token of another profile: stored under the request’s profile with foreignToken: true',
    async (own) => {
      const [mine, theirs] = [await newProfileId(own.app), await newProfileId(own.app)];
      const { paywallSessionId } = await fetchPaywall(own.app, theirs, 'plain');
      accepted(await own.app.v1('/events', [shown(mine, paywallSessionId)]), 200);
      assert.deepEqual(
        (await reportedEvents(own, mine)).map(({ foreignToken }) => foreignToken),
        [true],
      );
      assert.deepEqual(await reportedEvents(own, theirs), []);
    },
  ),
  tokens.withAdmin('A token of the profile’s own: foreignToken is false', async (own) => {
    const profileId = await newProfileId(own.app);
    const { paywallSessionId } = await fetchPaywall(own.app, profileId, 'plain');
    accepted(await own.app.v1('/events', [shown(profileId, paywallSessionId)]), 200);
    assert.deepEqual(
      (await reportedEvents(own, profileId)).map(({ foreignToken }) => foreignToken),
      [false],
    );
  }),
];
