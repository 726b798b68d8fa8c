import assert from 'node:assert/strict';
import { newProfileId, shownEvent, someone } from '../bodies.ts';
import type { Json } from '../http.ts';
import { section } from '../case.ts';
import { accepted, invalid, refused } from '../expectations.ts';
import { reportedEvents } from '../timeline.ts';

const events = section('v1 /events');
const custom = (profileId: string, fields: object = {}) => ({ eventType: 'opened', profileId, ...fields });
const explicitFields = ['paywallId', 'placementId', 'isExperiment', 'aiPricingModelId'];

export const eventCases = [
  events.withKey('The body is an array, even for one event; the answer is {ok: true}', async (app) => {
    const profileId = await newProfileId(app);
    const answer = await app.v1('/events', [shownEvent(profileId)]);
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body, { ok: true });
    for (const body of [shownEvent(profileId), {}, 'text', 7])
      refused(await app.v1('/events', JSON.stringify(body)), 400, 'VALIDATION_FAILED');
  }),
  events.withKey('1 to 500 events; empty: 400', async (app) => {
    const profileId = await newProfileId(app);
    stored(
      await app.v1(
        '/events',
        Array.from({ length: 500 }, () => custom(profileId)),
      ),
    );
    refused(await app.v1('/events', []), 400, 'VALIDATION_FAILED');
    const tooMany = Array.from({ length: 501 }, () => custom(profileId));
    refused(await app.v1('/events', tooMany), 400, 'VALIDATION_FAILED', '500');
  }),
  events.withKey('eventType is paywall_shown or any other name of 1 to 64 of a-z0-9_', async (app) => {
    const profileId = await newProfileId(app);
    for (const eventType of ['a', 'z9_', 'x'.repeat(64), '_', '0'])
      stored(await app.v1('/events', [{ profileId, eventType }]));
    for (const eventType of ['', 'x'.repeat(65), 'Paywall_shown', 'a-b', 'a b', 'é', 7, null, undefined])
      invalid(await app.v1('/events', [{ profileId, eventType }]), 'eventType');
  }),
  events.withKey('paywall_shown needs a token or all four explicit fields', async (app) => {
    const profileId = await newProfileId(app);
    for (const field of explicitFields)
      invalid(await app.v1('/events', [shownEvent(profileId, { [field]: undefined })]), field);
    for (const field of ['paywallId', 'placementId', 'isExperiment'])
      invalid(await app.v1('/events', [shownEvent(profileId, { [field]: null })]), field);
    refused(await app.v1('/events', [{ eventType: 'paywall_shown', profileId }]), 400, 'VALIDATION_FAILED');
  }),
  events.withKey(
    'Sending no token is valid; aiPricingModelId may be null; unknown or stale abTestId values are accepted',
    async (app) => {
      const profileId = await newProfileId(app);
      stored(await app.v1('/events', [shownEvent(profileId)]));
      stored(await app.v1('/events', [shownEvent(profileId, { aiPricingModelId: null })]));
      stored(await app.v1('/events', [shownEvent(profileId, { abTestId: 987654 })]));
    },
  ),
  events.withKey('Explicit fields of another type: 400', async (app) => {
    const profileId = await newProfileId(app);
    const wrong = {
      paywallId: ['1', 1.5, {}],
      placementId: [1, '', []],
      isExperiment: ['true', 1],
      aiPricingModelId: ['1', 0.5],
    };
    for (const [field, values] of Object.entries(wrong))
      for (const value of values) invalid(await app.v1('/events', [shownEvent(profileId, { [field]: value })]), field);
  }),
  events.withKey('The message names the event that is at fault', async (app) => {
    const profileId = await newProfileId(app);
    const batch = [custom(profileId), custom(profileId), { profileId, eventType: 'NO' }];
    invalid(await app.v1('/events', batch), '2');
  }),
  events.withKey('Entries that are no objects: 400', async (app) => {
    const profileId = await newProfileId(app);
    for (const entry of [null, 1, 'opened', [custom(profileId)]])
      refused(await app.v1('/events', [custom(profileId), entry]), 400, 'VALIDATION_FAILED');
  }),
  events.withKey(
    'customerUserId identifies the profile too; an unknown profile: 404 PROFILE_NOT_FOUND',
    async (app) => {
      const customerUserId = someone();
      refused(await app.v1('/events', [{ eventType: 'opened', customerUserId }]), 404, 'PROFILE_NOT_FOUND');
      await newProfileId(app, { customerUserId });
      stored(await app.v1('/events', [{ eventType: 'opened', customerUserId }]));
      refused(await app.v1('/events', [custom('none')]), 404, 'PROFILE_NOT_FOUND');
    },
  ),
  events.withKey('Different identifiers, or both kinds in one request: 422 MIXED_PROFILE_IDENTIFIERS', async (app) => {
    const customerUserId = someone();
    const profileId = await newProfileId(app, { customerUserId });
    const other = await newProfileId(app);
    const byCustomer = { eventType: 'opened', customerUserId };
    for (const batch of [
      [custom(profileId), custom(other)],
      [custom(profileId), byCustomer],
      [custom(profileId, { customerUserId })],
      [byCustomer, { ...byCustomer, customerUserId: someone() }],
    ])
      refused(await app.v1('/events', batch), 422, 'MIXED_PROFILE_IDENTIFIERS');
  }),
  events.withKey('An event without an identifier: 400', async (app) => {
    const profileId = await newProfileId(app);
    invalid(await app.v1('/events', [custom(profileId), { eventType: 'opened' }]), 'profileId');
    for (const id of ['', null, 7])
      invalid(await app.v1('/events', [{ eventType: 'opened', profileId: id }]), 'profileId');
  }),
  events.withKey(
    'Refusals in this order: shape of any event, mixed identifiers, token faults, profile',
    async (app) => {
      const [first, second] = [await newProfileId(app), await newProfileId(app)];
      const badToken = { paywallSessionId: 'no token' };
      const mixed = [custom(first, badToken), custom(second)];
      invalid(await app.v1('/events', [...mixed, custom(first, { eventType: '' })]), 'eventType');
      refused(await app.v1('/events', mixed), 422, 'MIXED_PROFILE_IDENTIFIERS');
      refused(await app.v1('/events', [custom('none', badToken)]), 400, 'SESSION_TOKEN_INVALID');
      refused(await app.v1('/events', [custom('none')]), 404, 'PROFILE_NOT_FOUND');
    },
  ),
  events.withAdmin('A batch is stored whole: each event is in the timeline, a repeated one too', async (own) => {
    const profileId = await newProfileId(own.app);
    stored(await own.app.v1('/events', [custom(profileId), custom(profileId), shownEvent(profileId)]));
    const types = (await reportedEvents(own, profileId)).map(({ eventType }) => eventType);
    assert.deepEqual(types, ['opened', 'opened', 'paywall_shown']);
  }),
  events.withAdmin('A batch is stored whole or not at all: bad input stores nothing', async (own) => {
    const { app } = own;
    const [profileId, other] = [await newProfileId(app), await newProfileId(app)];
    const good = custom(profileId);
    for (const bad of [
      { ...good, eventType: 'NO' },
      { ...good, eventType: 'paywall_shown' },
      { ...good, paywallSessionId: 'no token' },
      { eventType: 'opened' },
      custom(other),
    ])
      assert.ok([400, 422].includes((await app.v1('/events', [good, bad, good])).status));
    assert.deepEqual(await reportedEvents(own, profileId), []);
    assert.deepEqual(await reportedEvents(own, other), []);
  }),
  events.withAdmin('Unknown paywallId or placementId in explicit fields: stored as sent', async (own) => {
    const profileId = await newProfileId(own.app);
    const sent = { paywallId: 987654, placementId: 'no-such', isExperiment: true, aiPricingModelId: null };
    stored(await own.app.v1('/events', [shownEvent(profileId, sent)]));
    const [{ paywallId, placementId, isExperiment, aiPricingModelId }] = (await reportedEvents(own, profileId)) as [
      Json,
    ];
    assert.deepEqual({ paywallId, placementId, isExperiment, aiPricingModelId }, sent);
  }),
  events.withAdmin(
    'Unique impressions count once for (profile, paywall), over all placements, for ever',
    async (own) => {
      const profileId = await newProfileId(own.app);
      const shown = (paywallId: number, placementId: string) => shownEvent(profileId, { paywallId, placementId });
      stored(await own.app.v1('/events', [shown(1, 'plain'), shown(1, 'plain'), shown(2, 'ai')]));
      stored(await own.app.v1('/events', [shown(1, 'ai'), shown(3, 'ai'), custom(profileId)]));
      const unique = (await reportedEvents(own, profileId)).map((event) => event.uniqueImpression);
      assert.deepEqual(unique, [true, false, true, false, true, false]);
    },
  ),
];

/** The whole answer of /events: it has no data. */
function stored(answer: Parameters<typeof accepted>[0]): void {
  assert.equal(accepted(answer, 200), undefined);
}
