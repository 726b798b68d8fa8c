import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { exampleCatalogJson } from '@paywright/contracts/testing';
import { adminGateway, viewerToken, type AdminGateway } from '../testing/admin-gateway.ts';
import { startedAt } from '../testing/surroundings.ts';
import { subscribedChain } from '../../testing/purchased-chain.ts';
import { decisionRow, profile, profileId } from '../testing/decision-records.ts';
import { ledgerRow } from '../testing/ledger-row.ts';

let gateway: AdminGateway;
beforeAll(async () => (gateway = await adminGateway()));
beforeEach(async () => {
  gateway.reset();
  await gateway.createApp();
  gateway.readModel.profiles = [profile];
});
afterAll(() => gateway.close());

const time = new Date(startedAt).toISOString();
const get = (path: string) => gateway.call('GET', `/apps/1/profiles${path}`);

describe('profile look-up', () => {
  it.each(['customerUserId=user-1', 'query=user', `query=${profileId}`])(
    'finds by %s the v1 profile',
    async (query) => {
      expect((await get(`?${query}`)).body).toMatchObject({
        ok: true,
        data: [{ profileId, customerUserId: 'user-1', country: 'DE', state: 'never-subscribed', custom: [] }],
        nextCursor: null,
      });
    },
  );

  it.each(['customerUserId=user', 'query=ser-1'])('finds nothing by %s', async (query) => {
    expect((await get(`?${query}`)).body).toEqual({ ok: true, data: [], nextCursor: null });
  });

  it.each([
    '',
    '?',
    '?query=',
    '?customerUserId=',
    '?query=a&customerUserId=b',
    '?query=a&query=b',
    '?query=%00',
    `?query=${'x'.repeat(256)}`,
  ])('refuses profiles%s', async (query) => {
    expect(await get(query)).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
  });

  it('shows the v1 profile', async () => {
    expect((await get(`/${profileId}`)).body.data).toMatchObject({ profileId, createdDate: time, paid: false });
  });

  it.each(['', '/timeline', '/ledger', '/decisions'])('does not know an unknown profile%s', async (path) => {
    expect(await get(`/0190a5b0-0000-7000-8000-000000000009${path}`)).toMatchObject({
      status: 404,
      body: { code: 'PROFILE_NOT_FOUND' },
    });
    expect((await gateway.call('GET', `/apps/2/profiles/${profileId}${path}`)).body.code).toBe('APP_NOT_FOUND');
  });
});

describe('what a profile bought', () => {
  const day = 86_400_000;
  const sold = { store: 'play_store', productId: 'premium' } as const;
  const chain = subscribedChain('0190a5b0-0000-8000-8000-00000000000c', profileId, sold, startedAt);
  beforeEach(async () => {
    gateway.readModel.chains = new Map([[profileId, [chain]]]);
    await gateway.call('PUT', '/apps/1/catalog', { body: exampleCatalogJson });
  });

  it('is in the profile, and ends by the clock', async () => {
    expect((await get(`/${profileId}`)).body.data).toMatchObject({
      ...{ paid: true, state: 'subscribed', totalRevenueUsd: 9.99 },
      ...{ accessLevels: { premium: { isActive: true } }, subscriptions: { premium: {} }, nonSubscriptions: {} },
    });
    gateway.clock.advance(31 * day);
    expect((await get(`/${profileId}`)).body.data).toMatchObject({ paid: false, state: 'subscription-cancelled' });
  });

  it('is in each profile of a list, all asked for at once', async () => {
    const other = { ...profile, profileId: '0190a5b0-0000-7000-8000-000000000002' };
    gateway.readModel.profiles = [other, profile];
    expect((await get('?customerUserId=user-1')).body).toMatchObject({
      data: [
        { profileId: other.profileId, state: 'never-subscribed', subscriptions: {} },
        { profileId, state: 'subscribed', subscriptions: { premium: {} } },
      ],
      nextCursor: null,
    });
    expect(gateway.readModel.chainQueries).toBe(1);
  });
});

describe('ledger', () => {
  it('has every movement of money, a page at a time', async () => {
    const refund = {
      ...({ ...ledgerRow, id: '2001:refund', type: 'refund', amount: '-9.99', usd: null, rate: null } as const),
      ...{ refundOf: '2001', originalTransactionId: null, paywallId: null, placementId: null, decisionId: null },
    };
    gateway.readModel.ledger = [refund, ledgerRow];
    expect((await get(`/${profileId}/ledger?limit=1`)).body).toEqual({
      ok: true,
      data: [{ ...refund, time }],
      nextCursor: '1',
    });
    expect((await get(`/${profileId}/ledger?limit=1&cursor=1`)).body).toEqual({
      ok: true,
      data: [{ ...ledgerRow, time }],
      nextCursor: null,
    });
  });

  it('has no row where nothing was paid', async () => {
    expect((await get(`/${profileId}/ledger`)).body).toEqual({ ok: true, data: [], nextCursor: null });
  });

  it.each(['limit=0', 'limit=201', 'limit=x', 'cursor=', 'cursor=x'])('refuses %s', async (query) => {
    expect(await get(`/${profileId}/ledger?${query}`)).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED' },
    });
  });

  it('can be read by a viewer, and written by nobody', async () => {
    expect((await gateway.call('GET', `/apps/1/profiles/${profileId}/ledger`, { token: viewerToken })).status).toBe(
      200,
    );
    expect((await gateway.call('POST', `/apps/1/profiles/${profileId}/ledger`)).status).toBe(405);
  });
});

describe('export', () => {
  it('is one document of all that is kept, to be saved as a file', async () => {
    const decision = decisionRow('0190a5b0-0000-7000-8000-00000000000a');
    const event = { id: 'e1', type: 'ProfileCreated', service: 'profile', stream: profileId, version: 1, data: {} };
    gateway.readModel.events = [
      { ...event, time: startedAt },
      { ...event, version: 2, time: startedAt },
    ];
    gateway.readModel.impressions = [{ paywallId: 1, placementId: null, decisionId: null, firstShownAt: startedAt }];
    gateway.readModel.stripeCustomerIds = ['cus_1'];
    gateway.readModel.decisions = [decision];
    gateway.readModel.ledger = Array.from({ length: 450 }, () => ledgerRow);
    const { status, headers, body } = await get(`/${profileId}/export`);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': `attachment; filename="profile-${profileId}.json"`,
    });
    const { data } = body;
    expect(data).toMatchObject({
      ...{ exportedAt: time, appId: 1, profileId, profile: { customerUserId: 'user-1', platform: 'android' } },
      ...{ stripeCustomerIds: ['cus_1'], purchases: [], impressions: [{ paywallId: 1, firstShownAt: time }] },
      ...{ decisions: [{ id: decision.decision.decisionId }], events: [{ ...event, time }, { version: 2 }] },
    });
    expect(data.deviceContext).toEqual(profile.fields);
    expect(data.ledger).toHaveLength(450);
  });

  it('tells nothing of the other owners of what was bought', async () => {
    const sold = { store: 'play_store', productId: 'premium' } as const;
    const chain = subscribedChain('0190a5b0-0000-8000-8000-00000000000c', profileId, sold, startedAt);
    const other = '0190a5b0-0000-7000-8000-000000000002';
    const shared = { ...chain, owner: other, formerOwners: [profileId, other] };
    gateway.readModel.chains = new Map([[profileId, [shared]]]);
    const { data } = (await get(`/${profileId}/export`)).body;
    expect(data.purchases).toMatchObject([{ isOwner: false, isFormerOwner: true, isPayer: true }]);
    expect(JSON.stringify(data.purchases)).not.toContain(other);
  });

  it('is for viewers too, and knows no unknown profile', async () => {
    const path = `/apps/1/profiles/${profileId}/export`;
    expect((await gateway.call('GET', path, { token: viewerToken })).status).toBe(200);
    expect((await gateway.call('DELETE', `/apps/1/profiles/${profileId}`, { token: viewerToken })).status).toBe(403);
    expect((await get('/0190a5b0-0000-7000-8000-000000000009/export')).status).toBe(404);
  });
});

describe('timeline', () => {
  it('has every event of the profile', async () => {
    const event = { id: 'e1', type: 'ProfileCreated', time: startedAt, service: 'profile', data: { fields: {} } };
    gateway.readModel.timeline = [event, event];
    expect((await get(`/${profileId}/timeline?limit=1`)).body).toEqual({
      ok: true,
      data: [{ ...event, time }],
      nextCursor: '1',
    });
  });
});

describe('decisions of a profile', () => {
  it('are rows', async () => {
    const row = decisionRow('0190a5b0-0000-7000-8000-00000000000a');
    gateway.readModel.decisions = [row];
    const { decision } = row;
    expect((await get(`/${profileId}/decisions`)).body).toEqual({
      ok: true,
      data: [
        {
          id: decision.decisionId,
          time,
          placementId: 'onboarding',
          target: decision.target,
          paywallId: decision.paywallId,
          externalId: decision.externalId,
          isExperiment: decision.isExperiment,
          aiPricingModelId: 1,
          modelVersion: decision.modelVersion,
          catalogRevision: 1,
          fallback: null,
          superseded: false,
        },
      ],
      nextCursor: null,
    });
  });
});

describe('audit', () => {
  it('tells who changed what', async () => {
    const row = { id: 'a1', actor: 'ops', action: 'KeyRevoked', appId: 1, before: null, after: { keyId: 1 } };
    gateway.readModel.auditRows = [{ ...row, time: startedAt }];
    expect((await gateway.call('GET', '/audit')).body).toEqual({
      ok: true,
      data: [{ ...row, time }],
      nextCursor: null,
    });
  });
});
