import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { adminGateway, startedAt, type AdminGateway } from '../testing/admin-gateway.ts';
import { decisionRow, profile, profileId } from '../testing/decision-records.ts';

let gateway: AdminGateway;
beforeEach(async () => {
  gateway = await adminGateway();
  await gateway.createApp();
  gateway.readModel.profiles = [profile];
});
afterEach(() => gateway.close());

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

  it.each(['', '/timeline', '/decisions'])('does not know an unknown profile%s', async (path) => {
    expect(await get(`/0190a5b0-0000-7000-8000-000000000009${path}`)).toMatchObject({
      status: 404,
      body: { code: 'PROFILE_NOT_FOUND' },
    });
    expect((await gateway.call('GET', `/apps/2/profiles/${profileId}${path}`)).body.code).toBe('APP_NOT_FOUND');
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
