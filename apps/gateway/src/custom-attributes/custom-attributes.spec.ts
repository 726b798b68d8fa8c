import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SetCustomAttributes } from '@paywright/contracts';
import { startTestGateway, otherSecretKey, type TestGateway } from '../testing/test-gateway.ts';

const v1 = '/api/v1/web-api/profiles';
const goal = { key: 'goal', value: 'sleep' };

let gateway: TestGateway;
let profileId: string;
beforeAll(async () => {
  gateway = await startTestGateway();
});
beforeEach(async () => {
  gateway.reset();
  profileId = (await gateway.request('POST', v1, { customerUserId: 'u' })).json().data.profileId;
});
afterAll(() => gateway.app.close());

const post = (url: string, body: object) => gateway.request('POST', url, body);
const summary = ({ statusCode, body }: { statusCode: number; body: string }) => [statusCode, JSON.parse(body).code];

describe('one attribute, v1', () => {
  const set = (body: object) => post(`${v1}/custom-attributes`, body);

  it('is created (201), then set (200), with the same id', async () => {
    const first = await set({ profileId, custom: goal });
    const second = await set({ customerUserId: 'u', custom: { key: 'goal', value: '' } });
    expect([first.statusCode, second.statusCode]).toEqual([201, 200]);
    expect(first.json()).toEqual({ ok: true, data: { id: expect.any(String), ...goal } });
    expect(second.json().data).toEqual({ id: first.json().data.id, key: 'goal', value: '' });
  });

  it('is in the profile afterwards', async () => {
    const { id } = (await set({ profileId, custom: goal })).json().data;
    const profile = await gateway.request('POST', v1, { customerUserId: 'u' });
    expect(profile.json().data.custom).toEqual([{ id, ...goal }]);
  });

  it('prefers profileId to customerUserId', async () => {
    const response = await set({
      profileId: '01a1ff2a-eabd-7649-b467-0adce80e42d9',
      customerUserId: 'u',
      custom: goal,
    });
    expect(summary(response)).toEqual([404, 'PROFILE_NOT_FOUND']);
    expect((await set({ profileId: null, customerUserId: 'u', custom: goal })).statusCode).toBe(201);
  });

  it.each([
    [{}, 'custom must be given, and must be a JSON object.'],
    [{ custom: null }, 'custom must be given, and must be a JSON object.'],
    [{ custom: [goal] }, 'custom must be a JSON object.'],
    [{ custom: { key: 'k' } }, 'custom.value must be given, and must be a text of 0 to 1000 characters.'],
    [{ custom: { key: 'k', value: 5 } }, 'custom.value must be a text of 0 to 1000 characters.'],
    [{ custom: { key: '', value: '' } }, 'custom.key must be a text of 1 to 100 characters.'],
    [{ custom: { key: '😀'.repeat(101), value: '' } }, 'custom.key must be a text of 1 to 100 characters.'],
    [{ custom: { key: 'k', value: 'x'.repeat(1001) } }, 'custom.value must be a text of 0 to 1000 characters.'],
    [{ custom: { key: 'k\0', value: '' } }, 'custom.key must be valid Unicode without NUL.'],
    [{ custom: { key: 'k', value: '\ud83d' } }, 'custom.value must be valid Unicode without NUL.'],
    [{ custom: goal, customerUserId: 'u\0' }, 'customerUserId must be valid Unicode without NUL.'],
    [{ custom: goal, profileId: '' }, 'profileId must be a text of 1 to 255 characters.'],
    [{ custom: goal, customerUserId: '' }, 'customerUserId must be a text of 1 to 255 characters.'],
    [{ custom: goal, profileId: null }, 'profileId or customerUserId must be given.'],
  ])('refuses %j', async (body, error) => {
    const identity = 'profileId' in body ? {} : 'customerUserId' in body ? {} : { customerUserId: 'u' };
    const response = await set({ ...identity, ...body });
    expect([response.statusCode, response.json()]).toEqual([400, { error, code: 'VALIDATION_FAILED' }]);
  });

  it('counts keys and values in code points', async () => {
    const custom = { key: '😀'.repeat(100), value: '😀'.repeat(1000) };
    expect((await set({ profileId, custom })).json().data).toMatchObject(custom);
  });

  it.each(['no-uuid', '01a1ff2a-eabd-7649-b467-0adce80e42d9'])('finds no profile %s: 404', async (unknown) => {
    expect(summary(await set({ profileId: unknown, custom: goal }))).toEqual([404, 'PROFILE_NOT_FOUND']);
  });

  it('finds no profile by another spelling of its id, nor of another app', async () => {
    expect(summary(await set({ profileId: profileId.toUpperCase(), custom: goal }))).toEqual([
      404,
      'PROFILE_NOT_FOUND',
    ]);
    const body = { profileId, custom: goal };
    const other = await gateway.request('POST', `${v1}/custom-attributes`, body, { authorization: otherSecretKey });
    expect(summary(other)).toEqual([404, 'PROFILE_NOT_FOUND']);
  });

  it('passes on the service’s refusal', async () => {
    const refusal = { code: 'TOO_MANY_ATTRIBUTES', message: 'custom: a profile holds at most 100.' } as const;
    gateway.backend.on(SetCustomAttributes, () => ({ refusal }));
    const response = await set({ profileId, custom: goal });
    expect([response.statusCode, response.json()]).toEqual([422, { error: refusal.message, code: refusal.code }]);
  });
});

describe('an update, v1', () => {
  const update = (body: object) => gateway.request('PUT', `${v1}/custom-attributes`, body);
  let attrId: string;
  beforeEach(async () => {
    attrId = (await post(`${v1}/custom-attributes`, { profileId, custom: goal })).json().data.id;
  });

  it.each(['top', 'custom', 'both'])('reads attrId from %s', async (place) => {
    const top = place === 'custom' ? {} : { attrId };
    const inner = place === 'top' ? {} : { attrId };
    const response = await update({ profileId, ...top, custom: { key: 'aim', value: 'focus', ...inner } });
    expect([response.statusCode, response.json().data]).toEqual([200, { id: attrId, key: 'aim', value: 'focus' }]);
  });

  it('refuses two that differ, before it looks for the profile', async () => {
    const response = await update({ profileId: 'nobody', attrId, custom: { ...goal, attrId: 'other' } });
    expect(summary(response)).toEqual([400, 'VALIDATION_FAILED']);
  });

  it.each([{}, { attrId: null }, { attrId: '' }])('needs attrId, and not as %j', async (given) => {
    const response = await update({ profileId, ...given, custom: goal });
    expect([response.statusCode, response.json().error]).toEqual([400, 'attrId must be given.']);
  });

  it('finds no other attribute: 404', async () => {
    expect(summary(await update({ profileId, attrId: 'other', custom: goal }))).toEqual([404, 'ATTRIBUTE_NOT_FOUND']);
  });
});

describe.each([
  ['v1', `${v1}/custom-attributes-all`],
  ['v2', '/v2/custom-attributes'],
])('many attributes, %s', (_, url) => {
  const set = (custom: unknown) => post(url, { profileId, custom });

  it('creates them: 201, then 200', async () => {
    const custom = [goal, { key: 'plan', value: 'x' }];
    const first = await set(custom);
    expect([first.statusCode, first.json().data]).toEqual([
      201,
      custom.map((one) => ({ id: expect.any(String), ...one })),
    ]);
    expect((await set(custom)).statusCode).toBe(200);
  });

  it('takes 500 entries in one command, and no more', async () => {
    const entries = Array.from({ length: 501 }, (_one, i) => ({ key: `k${i}`, value: '' }));
    expect((await set(entries.slice(1))).statusCode).toBe(201);
    expect(summary(await set(entries))).toEqual([400, 'VALIDATION_FAILED']);
    expect(gateway.backend.sent.filter(({ type }) => type === 'SetCustomAttributes')).toHaveLength(1);
  });

  it.each([[[]], [{}], [null], ['text'], [[null]], [[goal, 'text']], [[goal, { key: 'k' }]]])(
    'refuses %j',
    async (custom) => {
      expect(summary(await set(custom))).toEqual([400, 'VALIDATION_FAILED']);
    },
  );
});

it('v2 needs profileId', async () => {
  const response = await post('/v2/custom-attributes', { customerUserId: 'u', custom: [goal] });
  expect([response.statusCode, response.json().error]).toEqual([
    400,
    'profileId must be given, and must be a text of 1 to 255 characters.',
  ]);
});

it('who is unknown is told of the field that the generation has', async () => {
  const response = await post('/v2/custom-attributes', { profileId: 'unknown', custom: [goal] });
  expect([response.statusCode, response.json().error]).toEqual([
    404,
    'profileId (v1: or customerUserId) names no profile of this app.',
  ]);
});
