import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EraseProfile, SaveProfile, ServePaywall } from '@paywright/contracts';
import { CommandTimeout, ServiceOverloaded } from '@paywright/messaging';
import { otherSecretKey, startOfTime, startTestGateway, v1, type TestGateway } from '../testing/test-gateway.ts';

const url = '/api/v1/web-api/profiles';
const required = { country: 'DE', device: 'iPhone17,1', os: 'iOS 26.1', platform: 'ios' };

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
beforeEach(() => gateway.reset());
afterAll(() => gateway.app.close());

const save = (body: unknown, headers?: Record<string, string>) => gateway.request('POST', url, body, headers);
const refusal = async (body: unknown) => {
  const response = await save(body);
  return [response.statusCode, response.json().code, response.json().error];
};

it('creates a profile: 201 with every field of the full form', async () => {
  const response = await save(required);
  expect(response.statusCode).toBe(201);
  expect(response.json()).toEqual({
    ok: true,
    data: {
      profileId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      ...required,
      ...nulls('customerUserId', 'locale', 'currency', 'linkedProfileIds', 'migrationProfileId', 'ipCountry'),
      ...nulls('appleConsumptionConsent', 'birthday', 'age', 'advertisingId', 'appBuild', 'appVersion', 'ip'),
      ...nulls('idfa', 'email', 'phone', 'gender', 'username', 'serviceSdkVersion'),
      ...{ paid: false, state: 'never-subscribed', totalRevenueUsd: 0, custom: [] },
      ...{ accessLevels: {}, subscriptions: {}, nonSubscriptions: {} },
      createdDate: '2026-01-02T03:04:05.678Z',
      createdAt: '2026-01-02T03:04:05.678Z',
    },
  });
});

const nulls = (...names: string[]) => Object.fromEntries(names.map((name) => [name, null]));

it('keeps personal fields apart from the others in its command', async () => {
  const personal = {
    customerUserId: 'u',
    email: 'e',
    phone: 'p',
    username: 'n',
    gender: 'g',
    idfa: 'i',
    advertisingId: 'a',
  };
  await save({ ...required, ...personal, ip: '::1', locale: 'de-DE' });
  expect(gateway.backend.sent).toMatchObject([
    {
      type: 'SaveProfile',
      appId: 1,
      body: { fields: { ...required, locale: 'de-DE' }, personal: { ...personal, ip: '::1' } },
    },
  ]);
  expect(Object.keys(SaveProfile.body.parse(gateway.backend.sent[0]?.body).fields)).not.toContain('email');
});

it('gives a new id to each profile without a customer user id', async () => {
  const ids = new Set<string>();
  for (let i = 0; i < 3; i += 1) ids.add((await save(required)).json().data.profileId);
  expect(ids.size).toBe(3);
});

describe('with a customer user id', () => {
  it('is the same profile the second time: 200, given fields replace, absent ones stay, null clears', async () => {
    const first = await save({ ...required, customerUserId: 'u', locale: 'de', email: 'a@b.c' });
    const second = await save({ ...required, customerUserId: 'u', country: 'fr', email: null, appVersion: '' });
    expect([first.statusCode, second.statusCode]).toEqual([201, 200]);
    expect(second.json().data).toMatchObject({
      profileId: first.json().data.profileId,
      customerUserId: 'u',
      country: 'FR',
      locale: 'de',
      email: null,
      appVersion: null,
    });
  });

  it('is another profile in another app', async () => {
    const first = await save({ customerUserId: 'u' });
    const second = await save({ customerUserId: 'u' }, { authorization: otherSecretKey });
    expect(second.statusCode).toBe(201);
    expect(second.json().data.profileId).not.toBe(first.json().data.profileId);
  });

  it('alone is enough, also again', async () => {
    expect((await save({ customerUserId: 'u' })).statusCode).toBe(201);
    expect((await save({ customerUserId: 'u', unknown: 1 })).statusCode).toBe(200);
  });

  it.each(['email', 'country', 'sessionId', 'ip'])('and %s, even as null, needs the required set', async (name) => {
    expect(await refusal({ customerUserId: 'u', [name]: null })).toEqual([
      400,
      'VALIDATION_FAILED',
      'country must be given, and must be a 2-letter ISO 3166-1 alpha-2 code.',
    ]);
  });
});

describe.each(Object.keys(required))('the required field %s', (name) => {
  it.each([undefined, null, '', 7, {}])('must not be %j', async (value) => {
    const [status, code, error] = await refusal({ ...required, customerUserId: 'u', [name]: value });
    expect([status, code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(error).toMatch(new RegExp(`^${name} must be .*\\.$`));
    expect(gateway.backend.sent).toEqual([]);
  });
});

it.each(['locale', 'appVersion', 'appBuild', 'advertisingId', 'idfa', 'email', 'currency', 'timezone', 'sessionId'])(
  'takes up to 255 code points in the optional %s',
  async (name) => {
    expect((await save({ ...required, [name]: '😀'.repeat(255) })).statusCode).toBe(201);
    expect((await refusal({ ...required, [name]: '😀'.repeat(256) }))[2]).toBe(
      `${name} must be a text of 1 to 255 characters.`,
    );
    expect((await refusal({ ...required, [name]: 7 }))[0]).toBe(400);
    for (const text of ['a\0', '\ud800', 'a\udc00'])
      expect(await refusal({ ...required, [name]: text })).toEqual([
        400,
        'VALIDATION_FAILED',
        `${name} must be valid Unicode without NUL.`,
      ]);
  },
);

it.each([
  ['customerUserId', ''],
  ['customerUserId', 'x'.repeat(256)],
  ['country', 'DEU'],
  ['country', 'ZZ'],
  ['platform', 'windows'],
  ['platform', 'iOS'],
  ['ip', '1.2.3'],
  ['ip', 'fe80::1%eth0'],
  ['ip', 'localhost'],
])('does not take %s %j', async (name, value) => {
  const [status, code, error] = await refusal({ ...required, [name]: value });
  expect([status, code]).toEqual([400, 'VALIDATION_FAILED']);
  expect(error).toContain(name);
});

it.each(['1.2.3.4', '::1', '2001:db8::ff00:42:8329'])('takes the address %s', async (ip) => {
  expect((await save({ ...required, ip })).json().data.ip).toBe(ip);
});

it('ignores unknown fields, whatever they hold', async () => {
  const body = `{"country":"de","device":"d","os":"o","platform":"ios","__proto__":{"email":"x"},"profileId":7,"x":[{}]}`;
  const response = await save(body);
  expect([response.statusCode, response.json().data.email]).toEqual([201, null]);
});

describe('when the services do not keep up', () => {
  it.each([
    ['no reply comes', new CommandTimeout('late')],
    ['too much waits', new ServiceOverloaded('full')],
  ])('says so if %s: 503 with Retry-After', async (_, error) => {
    gateway.backend.on(SaveProfile, () => Promise.reject(error));
    const response = await save(required);
    expect([response.statusCode, response.json().code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(response.headers['retry-after']).toBe('1');
  });

  it('lets nobody wait for two seconds', async () => {
    await save(required);
    expect(gateway.backend.sent.at(-1)).toMatchObject({ type: SaveProfile.type, deadlineMs: 1_800 });
  });

  it('acknowledges a new profile that the read model does not show yet, as it will show it', async () => {
    const body = { ...required, customerUserId: 'u', email: 'u@example.org', locale: null };
    gateway.backend.readModelIsBehind = true;
    const first = await save(body);
    gateway.backend.readModelIsBehind = false;
    const again = await save(body);
    expect([first.statusCode, again.statusCode]).toEqual([201, 200]);
    expect(first.json()).toEqual(again.json());
  });

  it('knows a new profile from then on: it gets paywalls, and its events are taken', async () => {
    gateway.backend.readModelIsBehind = true;
    const { profileId } = (await save({ ...required, country: 'FR' })).json().data;
    gateway.clock.advance(1_000);
    const paywall = await gateway.request('POST', `${v1}/paywalls`, { profileId, placementId: 'onboarding' });
    expect(paywall.statusCode).toBe(200);
    expect(gateway.backend.sent.at(-1)).toMatchObject({
      type: ServePaywall.type,
      body: { context: { country: 'FR', profileCreatedAt: startOfTime, custom: {} } },
    });
    const shown = [{ profileId, eventType: 'paywall_shown', paywallSessionId: paywall.json().data.paywallSessionId }];
    expect((await gateway.request('POST', `${v1}/events`, shown)).statusCode).toBe(200);
  });

  it('repeats what it acknowledged, under its key', async () => {
    const key = { 'idempotency-key': 'unshown' };
    gateway.backend.readModelIsBehind = true;
    const [first, again] = [await save(required, key), await save(required, key)];
    expect([again.statusCode, again.body]).toEqual([201, first.body]);
  });

  it('knows nobody who was erased since', async () => {
    gateway.backend.readModelIsBehind = true;
    const { profileId } = (await save(required)).json().data;
    const command = { id: randomUUID(), appId: 1, key: profileId, body: { actor: 'ops' }, deadlineMs: 1 };
    await gateway.backend.commands.send(EraseProfile, command);
    gateway.backend.readModelIsBehind = false;
    const paywall = await gateway.request('POST', `${v1}/paywalls`, { profileId, placementId: 'onboarding' });
    expect([paywall.statusCode, paywall.json().code]).toEqual([404, 'PROFILE_NOT_FOUND']);
  });

  it('knows it only as a profile of its app', async () => {
    gateway.backend.readModelIsBehind = true;
    const { profileId } = (await save(required)).json().data;
    const asked = { profileId, placementId: 'onboarding' };
    const paywall = await gateway.request('POST', `${v1}/paywalls`, asked, { authorization: otherSecretKey });
    expect([paywall.statusCode, paywall.json().code]).toEqual([404, 'PROFILE_NOT_FOUND']);
  });

  it.each([
    ['new', true],
    ['known', false],
  ])('takes it from a %s customer who says the same again', async (_, isBehindAtFirst) => {
    const body = { ...required, customerUserId: 'u', email: 'u@example.org', phone: null };
    gateway.backend.readModelIsBehind = isBehindAtFirst;
    const first = await save(body);
    if (!isBehindAtFirst) gateway.backend.readModelIsBehind = true;
    const again = await save(body);
    expect([first.statusCode, again.statusCode]).toEqual([201, 200]);
    expect(again.json()).toEqual(first.json());
  });

  it('does not show of a new profile less than there is of it: 503', async () => {
    const body = { ...required, customerUserId: 'u', email: 'u@example.org' };
    gateway.backend.readModelIsBehind = true;
    await save(body);
    expect((await save({ ...required, customerUserId: 'u' })).statusCode).toBe(503);
    expect((await save(body)).statusCode).toBe(200);
  });

  it('nor what was said of it before it changed: 503', async () => {
    const body = { ...required, customerUserId: 'u', email: 'u@example.org' };
    gateway.backend.readModelIsBehind = true;
    await save(body);
    for (const email of ['other@example.org', body.email, body.email])
      expect((await save({ ...body, email })).statusCode).toBe(503);
  });

  it('nor anything of a new profile whose service does not tell whether that is all of it: 503', async () => {
    const body = { ...required, customerUserId: 'u' };
    gateway.backend.readModelIsBehind = true;
    await save(body);
    gateway.backend.on(SaveProfile, () => ({ reply: { created: false } }));
    expect((await save(body)).statusCode).toBe(503);
  });

  it('does not acknowledge a change that the next request would not see: 503', async () => {
    await save({ customerUserId: 'u' });
    gateway.backend.readModelIsBehind = true;
    const response = await save({ ...required, customerUserId: 'u' });
    expect([response.statusCode, response.json().code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  });

  it('nor a new profile of a service that does not tell when it was created: 503', async () => {
    gateway.backend.on(SaveProfile, () => ({ reply: { created: true } }));
    gateway.backend.readModelIsBehind = true;
    expect((await save(required)).statusCode).toBe(503);
  });

  it('hides a defect: 500 without its words, which the log has', async () => {
    gateway.backend.on(SaveProfile, () => Promise.reject(new TypeError('a secret of the code')));
    const response = await save(required);
    expect([response.statusCode, response.json()]).toEqual([
      500,
      { error: 'The service failed to answer this request.', code: 'INTERNAL_ERROR' },
    ]);
    expect(gateway.lines.join('')).toContain('a secret of the code');
  });
});

it('logs no personal field, no key and no body', async () => {
  await save({ ...required, customerUserId: 'sentinel-1', email: 'sentinel-2', ip: '203.0.113.77' });
  await save({ ...required, customerUserId: 'sentinel-1', email: 7 });
  const log = gateway.lines.join('');
  expect(log).toContain('Answered');
  expect(log).not.toMatch(/sentinel|203\.0\.113|secret_live|iPhone/);
  expect(await gateway.parts.metrics.text()).not.toMatch(/sentinel|203\.0\.113|secret_live/);
});
