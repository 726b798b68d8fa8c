import { createHmac, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ReportEvents } from '@paywright/contracts';
import { CommandTimeout } from '@paywright/messaging';
import { SessionTokens } from '@paywright/session-token';
import { startOfTime, startTestGateway, type TestGateway } from '../testing/test-gateway.ts';

const v1 = '/api/v1/web-api';
const hour = 3_600_000;
const explicit = { paywallId: 12, placementId: 'onboarding', isExperiment: true, aiPricingModelId: 3 };
const decisionId = '01a1ff2a-eabd-7649-b467-0adce80e42d9';

const signingKey = { id: 1, secret: randomBytes(32) };

let gateway: TestGateway;
let profileId: string;
beforeAll(async () => {
  gateway = await startTestGateway({ tokens: new SessionTokens([signingKey]) });
});
beforeEach(async () => {
  gateway.reset();
  profileId = (await gateway.request('POST', `${v1}/profiles`, { customerUserId: 'u' })).json().data.profileId;
});
afterAll(() => gateway.app.close());

const report = (...events: unknown[]) => gateway.request('POST', `${v1}/events`, events);
const shown = (changes: object = {}) => ({ eventType: 'paywall_shown', profileId, ...changes });
const token = (changes: object = {}) =>
  gateway.parts.tokens.issue({
    ...{ appId: 1, profileId, decisionId, placementId: 'settings', paywallId: 13, aiPricingModelId: null },
    ...{ abTestId: 5, isExperiment: false, issuedAt: startOfTime, ...changes },
  });
const reported = () => ReportEvents.body.parse(gateway.backend.sent.at(-1)?.body).events;
const refusal = (code: string, error: string, index = 0) => ({
  ...{ error, code },
  details: [{ path: `/${index}/paywallSessionId`, message: error }],
});
const codeOf = async (...events: unknown[]) => {
  const response = await report(...events);
  return [response.statusCode, response.json().code];
};

it('acknowledges a batch, reported in its order with ids of its own', async () => {
  const response = await report(shown(explicit), shown({ eventType: 'tapped_1' }));
  expect([response.statusCode, response.json()]).toEqual([200, { ok: true }]);
  expect(gateway.backend.sent.at(-1)).toMatchObject({ type: 'ReportEvents', appId: 1, key: profileId });
  expect(reported()).toEqual([
    {
      ...{ eventId: expect.any(String), eventType: 'paywall_shown', decisionId: null, ...explicit },
      ...{ abTestId: null, foreignToken: false },
    },
    {
      ...{ eventId: expect.any(String), eventType: 'tapped_1', decisionId: null, paywallId: null, placementId: null },
      ...{ isExperiment: null, aiPricingModelId: null, abTestId: null, foreignToken: false },
    },
  ]);
  expect(new Set(reported().map(({ eventId }) => eventId)).size).toBe(2);
});

describe('a batch', () => {
  it('has 1 to 500 events', async () => {
    const event = shown(explicit);
    expect((await report(...Array.from({ length: 500 }, () => event))).statusCode).toBe(200);
    expect(await codeOf(...Array.from({ length: 501 }, () => event))).toEqual([400, 'VALIDATION_FAILED']);
    expect(await codeOf()).toEqual([400, 'VALIDATION_FAILED']);
  });

  it.each([{}, { '0': {} }, null, 7])('is an array, not %j', async (body) => {
    const response = await gateway.request('POST', `${v1}/events`, body);
    expect([response.statusCode, response.json().code]).toEqual([400, 'VALIDATION_FAILED']);
  });

  it('is about one profile: else 422', async () => {
    const mixed = [422, 'MIXED_PROFILE_IDENTIFIERS'];
    const byCustomer = shown({ profileId: undefined, customerUserId: 'u', ...explicit });
    expect(await codeOf(shown(explicit), shown({ ...explicit, profileId: decisionId }))).toEqual(mixed);
    expect(await codeOf(shown(explicit), byCustomer)).toEqual(mixed);
    expect(await codeOf(shown({ ...explicit, customerUserId: 'u' }))).toEqual(mixed);
    expect(await codeOf(byCustomer, { ...byCustomer, customerUserId: 'v' })).toEqual(mixed);
    expect((await report(byCustomer, { ...byCustomer, profileId: null })).statusCode).toBe(200);
    expect(gateway.backend.sent.at(-1)?.key).toBe(profileId);
  });

  it('is not stored if one event is refused, and that event is named', async () => {
    const response = await report(shown(explicit), shown(explicit), shown({ eventType: 'Bad Name' }));
    expect(response.json().error).toBe('[2].eventType must be 1 to 64 of a-z, 0-9 and _.');
    expect(gateway.backend.sent.map(({ type }) => type)).toEqual(['SaveProfile']);
  });
});

it.each([
  ['no eventType', { eventType: undefined, ...explicit }],
  ['an empty eventType', { eventType: '' }],
  ['a long eventType', { eventType: 'a'.repeat(65) }],
  ['an eventType with a line break', { eventType: 'a\n' }],
  ['no identifier', { profileId: undefined, ...explicit }],
  ['an empty profileId', { profileId: '', ...explicit }],
  ['an empty token', { paywallSessionId: '', ...explicit }],
  ['too long a token', { paywallSessionId: 'x'.repeat(4097) }],
  ['an empty placementId', { ...explicit, placementId: '' }],
  ['a fractional paywallId', { ...explicit, paywallId: 1.5 }],
  ['a paywallId as text', { ...explicit, paywallId: '12' }],
  ['a paywallId of more than 32 bits', { ...explicit, paywallId: 2 ** 31 }],
  ['isExperiment as text', { ...explicit, isExperiment: 'true' }],
  ['no paywallId', { ...explicit, paywallId: undefined }],
  ['a null paywallId', { ...explicit, paywallId: null }],
  ['no placementId', { ...explicit, placementId: undefined }],
  ['no isExperiment', { ...explicit, isExperiment: undefined }],
  ['no aiPricingModelId', { ...explicit, aiPricingModelId: undefined }],
])('refuses %s', async (_, changes) => {
  expect(await codeOf(shown(changes))).toEqual([400, 'VALIDATION_FAILED']);
});

it('takes a null aiPricingModelId, unknown ids and a stale abTestId as sent', async () => {
  const sent = {
    paywallId: 999,
    placementId: 'gone',
    isExperiment: false,
    aiPricingModelId: null,
    abTestId: 9_007_199_254_740_991,
  };
  expect((await report(shown(sent))).statusCode).toBe(200);
  expect(reported()).toMatchObject([sent]);
});

describe('a token', () => {
  it('decides, whatever the explicit fields say', async () => {
    expect((await report(shown({ paywallSessionId: token(), ...explicit, abTestId: 1 }))).statusCode).toBe(200);
    expect(reported()).toMatchObject([
      { decisionId, placementId: 'settings', paywallId: 13, aiPricingModelId: null, abTestId: 5, isExperiment: false },
    ]);
  });

  it('is as old to a request repeated by its key as it was to the first one', async () => {
    const headers = { 'idempotency-key': 'over-the-edge' };
    const send = () => gateway.request('POST', `${v1}/events`, [shown({ paywallSessionId })], headers);
    const paywallSessionId = token({ issuedAt: gateway.clock.now() });
    gateway.clock.advance(24 * hour);
    gateway.backend.on(ReportEvents, () => Promise.reject(new CommandTimeout('the answer is lost')));
    expect((await send()).statusCode).toBe(503);
    gateway.backend.on(ReportEvents, () => ({ reply: {} }));
    gateway.clock.advance(hour);
    expect(await codeOf(shown({ paywallSessionId }))).toEqual([400, 'SESSION_TOKEN_EXPIRED']);
    expect((await send()).json()).toEqual({ ok: true });
    expect(new Set(gateway.backend.sent.filter(({ type }) => type === 'ReportEvents').map(({ id }) => id)).size).toBe(
      1,
    );
  });

  it('of another profile is kept apart', async () => {
    await report(shown({ paywallSessionId: token({ profileId: decisionId }) }));
    expect(reported()).toMatchObject([{ foreignToken: true }]);
  });

  it('that is none, or changed, is refused with the message of the specification', async () => {
    const flipped = token().replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    const foreign = new SessionTokens([{ id: 1, secret: randomBytes(32) }]);
    for (const paywallSessionId of ['x', token().slice(1), flipped, foreign.issue(tokenClaims())]) {
      const response = await report(shown({ paywallSessionId }));
      expect([response.statusCode, response.json()]).toEqual([
        400,
        refusal('SESSION_TOKEN_INVALID', 'paywallSessionId is not a valid Paywright paywall session token.'),
      ]);
    }
  });

  it('that cannot be used is named by its place in the batch', async () => {
    const response = await report(
      shown(explicit),
      shown({ paywallSessionId: token() }),
      shown({ paywallSessionId: 'x' }),
    );
    expect(response.json().details).toMatchObject([{ path: '/2/paywallSessionId' }]);
  });

  const tokenClaims = () => ({
    ...{ appId: 1, profileId, decisionId, placementId: 'settings', paywallId: 13, aiPricingModelId: null },
    ...{ abTestId: null, isExperiment: false, issuedAt: startOfTime },
  });

  it('of another version is refused, before its app and its age are looked at', async () => {
    const issued = Buffer.from(token({ appId: 2, issuedAt: startOfTime - 48 * hour }), 'base64url');
    const versioned = Buffer.concat([Buffer.of(2), issued.subarray(1, -32)]);
    const tag = createHmac('sha256', signingKey.secret).update(versioned).digest();
    const paywallSessionId = Buffer.concat([versioned, tag]).toString('base64url');
    for (const eventType of ['paywall_shown', 'tapped']) {
      const response = await report(shown({ eventType: 'opened' }), shown({ eventType, paywallSessionId }));
      expect([response.statusCode, response.json()]).toEqual([
        400,
        refusal('SESSION_TOKEN_UNSUPPORTED_VERSION', 'paywallSessionId uses an unsupported token version.', 1),
      ]);
    }
    expect(gateway.backend.sent.map(({ type }) => type)).toEqual(['SaveProfile']);
  });

  it('of another app is refused, before its age is looked at', async () => {
    const response = await report(shown({ paywallSessionId: token({ appId: 2, issuedAt: startOfTime - 48 * hour }) }));
    expect([response.statusCode, response.json()]).toEqual([
      400,
      refusal('SESSION_TOKEN_WRONG_APP', 'paywallSessionId was issued for a different app.'),
    ]);
  });

  it('reports a view for 24 hours and a minute', async () => {
    const paywallSessionId = token();
    gateway.clock.advance(24 * hour + 60_000);
    expect((await report(shown({ paywallSessionId }))).statusCode).toBe(200);
    gateway.clock.advance(1);
    const response = await report(shown({ paywallSessionId }));
    expect([response.statusCode, response.json()]).toEqual([
      400,
      refusal(
        'SESSION_TOKEN_EXPIRED',
        'paywallSessionId has expired for this event type. Fetch a new paywall before reporting the view.',
      ),
    ]);
    expect((await report(shown({ eventType: 'tapped', paywallSessionId }))).statusCode).toBe(200);
  });
});

describe('refusals come in this order', () => {
  const nobody = { profileId: 'nobody' };
  it('shape, mixed identifiers, token, profile', async () => {
    const badToken = shown({ ...nobody, paywallSessionId: 'x' });
    expect(await codeOf(badToken, shown(explicit), shown())).toEqual([400, 'VALIDATION_FAILED']);
    expect(await codeOf(badToken, shown(explicit))).toEqual([422, 'MIXED_PROFILE_IDENTIFIERS']);
    expect(await codeOf(badToken, shown({ ...explicit, ...nobody }))).toEqual([400, 'SESSION_TOKEN_INVALID']);
    expect(await codeOf(shown({ ...explicit, ...nobody }))).toEqual([404, 'PROFILE_NOT_FOUND']);
  });
});

it('says of no profile that it does not exist while the read model may lack profiles: 503', async () => {
  const stranger = '01a1ff2a-eabd-7649-b467-0adce80e42d9';
  expect(await codeOf(shown({ ...explicit, profileId: stranger }))).toEqual([404, 'PROFILE_NOT_FOUND']);
  gateway.backend.progress.mayLack = true;
  expect(await codeOf(shown({ ...explicit, profileId: stranger }))).toEqual([503, 'SERVICE_UNAVAILABLE']);
  expect(await codeOf(shown({ ...explicit, profileId: 'nobody' }))).toEqual([404, 'PROFILE_NOT_FOUND']);
});

it('does not acknowledge what may not be stored: 503', async () => {
  gateway.backend.on(ReportEvents, () => Promise.reject(new CommandTimeout('late')));
  const response = await report(shown(explicit));
  expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '1']);
});

it('lets nobody wait for two seconds', async () => {
  await report(shown(explicit));
  expect(gateway.backend.sent.at(-1)).toMatchObject({ type: ReportEvents.type, deadlineMs: 1_800 });
});

it('does not wait for the read model', async () => {
  gateway.backend.readModelIsBehind = true;
  expect((await report(shown(explicit))).statusCode).toBe(200);
});
