import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { SaveProfile } from '@paywright/contracts';
import { loadConfig } from '@paywright/platform';
import { gatewayConfig } from '../config.ts';
import { otherSecretKey, secretKey, startTestGateway, type TestGateway } from '../testing/test-gateway.ts';

const configOf = (changes: Record<string, string>) =>
  loadConfig(gatewayConfig, {
    DATABASE_URL: 'postgres://nowhere',
    KAFKA_BROKERS: 'nowhere:9092',
    MASTER_KEY: 'm'.repeat(32),
    ADMIN_TOKENS: 'ops:admin-token,ops:next-token,eye:other-token:viewer',
    ...changes,
  });
const started = (changes: Record<string, string>) => startTestGateway({ config: configOf(changes) });
const json = { 'content-type': 'application/json' };
const profile = { country: 'DE', device: 'd', os: 'o', platform: 'ios', appVersion: '1' };

describe('rate limits', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await started({
      RATE_LIMIT_SECRET_KEY: '2',
      RATE_LIMIT_ADMIN_TOKEN: '1',
      RATE_LIMIT_ADDRESS: '3',
      RATE_LIMIT_WRONG_KEYS: '1',
      TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8',
    });
  });
  afterEach(() => gateway.clock.advance(10_000));
  afterAll(() => gateway.app.close());

  const save = (key: string, from = '198.51.100.1') =>
    gateway.inject({
      method: 'POST',
      url: '/v2/profiles',
      headers: { ...json, authorization: key, 'x-forwarded-for': from },
      payload: profile,
    });
  const admin = (token: string, from = '198.51.100.1') =>
    gateway.inject({
      method: 'GET',
      url: '/admin/v1/apps',
      headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': from },
    });
  const get = (url: string, from: string) =>
    gateway.inject({ method: 'GET', url, headers: { 'x-forwarded-for': from } });
  const statusesOf = async (times: number, call: () => ReturnType<typeof save>) => {
    const statuses = [];
    for (let index = 0; index < times; index += 1) statuses.push((await call()).statusCode);
    return statuses;
  };

  it('takes twice a second’s worth of a key at once, then answers 429 until there is more', async () => {
    expect(await statusesOf(5, () => save(secretKey))).toEqual([201, 201, 201, 201, 429]);
    const refused = await save(secretKey);
    expect(refused.json()).toEqual({
      error: 'This secret key makes too many requests; wait as long as Retry-After says.',
      code: 'RATE_LIMITED',
    });
    expect(refused.headers).toMatchObject({
      'retry-after': '1',
      'ratelimit-policy': '"secret-key";q=4;w=2',
      ratelimit: '"secret-key";r=0;t=1',
    });
    gateway.clock.advance(500);
    expect(await statusesOf(2, () => save(secretKey))).toEqual([201, 429]);
  });

  it('counts each key for itself, from wherever it comes', async () => {
    expect(await statusesOf(5, () => save(secretKey))).toContain(429);
    expect((await save(secretKey, '198.51.100.2')).statusCode).toBe(429);
    expect((await save(otherSecretKey)).statusCode).toBe(201);
  });

  it('counts each admin token for itself, also of those that have one name while it gets a new token', async () => {
    expect(await statusesOf(3, () => admin('admin-token'))).toEqual([200, 200, 429]);
    expect(await statusesOf(3, () => admin('next-token'))).toEqual([200, 200, 429]);
    expect((await admin('other-token')).statusCode).toBe(200);
  });

  it.each([
    [200, '/openapi.json'],
    [404, '/nowhere'],
    [404, '/%zz'],
    [404, `/admin/v1/apps/${'9'.repeat(200)}`],
  ])('counts what is answered %i by its address, an IPv6 address by its /64: %s', async (status, url) => {
    const expected = [...Array.from({ length: 6 }, () => status), 429];
    expect(await statusesOf(7, () => get(url, '2001:db8::1'))).toEqual(expected);
    expect((await get(url, '2001:db8::ffff')).statusCode).toBe(429);
    expect((await get(url, '2001:db8:0:1::1')).statusCode).toBe(status);
  });

  it('answers too many wrong keys with 429, and lets a right one in from the same address', async () => {
    expect(await statusesOf(3, () => save('wrong'))).toEqual([401, 401, 429]);
    expect((await save('wrong', '198.51.100.9')).statusCode).toBe(401);
    expect((await save(secretKey)).statusCode).toBe(201);
  });

  it('looks at no admin token from an address that presented too many wrong ones', async () => {
    expect(await statusesOf(3, () => admin('wrong'))).toEqual([401, 401, 429]);
    expect((await admin('admin-token')).statusCode).toBe(429);
    expect((await admin('admin-token', '198.51.100.9')).statusCode).toBe(200);
    gateway.clock.advance(1_000);
    expect((await admin('admin-token')).statusCode).toBe(200);
  });

  it('counts an address as one, whichever port a proxy names beside it', async () => {
    let port = 1_000;
    const fromAnyPort = (call: (from: string) => ReturnType<typeof save>) => call(`198.51.100.1:${(port += 1)}`);
    expect(await statusesOf(3, () => fromAnyPort((from) => admin('wrong', from)))).toEqual([401, 401, 429]);
    expect((await admin('admin-token')).statusCode).toBe(429);
    expect(await statusesOf(7, () => fromAnyPort((from) => get('/nowhere', from)))).toContain(429);
    expect((await get('/nowhere', '[2001:db8::1]:1001')).statusCode).toBe(404);
  });

  it('believes the proxies it trusts alone: what a client puts before its own address is not looked at', async () => {
    const chain = (client: string) => get('/nowhere', `203.0.113.${client}, 198.51.100.7, 10.1.2.3`);
    for (let index = 0; index < 6; index += 1) await chain(String(index));
    expect((await chain('200')).statusCode).toBe(429);
  });

  it('counts what it refused, by limit', async () => {
    const text = await gateway.parts.metrics.text();
    for (const limit of ['secret-key', 'admin-token', 'address', 'wrong-key'])
      expect(text).toMatch(new RegExp(`gateway_rate_limited_total\\{limit="${limit}"\\} [1-9]`));
  });
});

it('believes no X-Forwarded-For unless told to', async () => {
  await using gateway = await started({ RATE_LIMIT_ADDRESS: '1' });
  const statuses = [];
  for (let index = 0; index < 3; index += 1) {
    const headers = { 'x-forwarded-for': `198.51.100.${index}` };
    statuses.push((await gateway.inject({ method: 'GET', url: '/nowhere', headers })).statusCode);
  }
  expect(statuses).toEqual([404, 404, 429]);
});

it.each(['localhost', '10.0.0.0/33', '10.0.0.1/', '::/129', '10.0.0.0/8;::1', '1.2.3.4/8/8', '10.0.0.0/0', '::/0'])(
  'does not start with the proxies %s',
  (TRUSTED_PROXIES) =>
    expect(() => configOf({ TRUSTED_PROXIES })).toThrow('TRUSTED_PROXIES: must be addresses or ranges'),
);

describe('with all places taken', () => {
  it('refuses what can wait before a user who waits, before it looks at key or body', async () => {
    await using gateway = await started({ MAX_IN_FLIGHT: '64' });
    const mayFinish = Promise.withResolvers<void>();
    let arrived = 0;
    gateway.backend.on(SaveProfile, async () => {
      arrived += 1;
      await mayFinish.promise;
      return { refusal: { code: 'TOO_MANY_ATTRIBUTES', message: 'answered' } };
    });
    const call = (url: string, method: 'POST' | 'GET' = 'POST') =>
      gateway.inject({ method, url, headers: { 'content-type': 'text/plain', authorization: 'wrong' }, payload: '{' });
    const seen = async () => {
      const calls = [
        call('/v2/paywall'),
        call('/v2/profiles'),
        call('/api/v1/web-api/events'),
        call('/admin/v1/apps', 'GET'),
      ];
      return (await Promise.all(calls)).map(({ statusCode }) => statusCode);
    };
    const waiting: Promise<{ statusCode: number }>[] = [];
    const occupy = async (places: number) => {
      while (waiting.length < places)
        waiting.push(gateway.request('POST', '/v2/profiles', profile).then((answer) => answer));
      while (arrived < places) await delay(1);
    };

    expect(await seen()).toEqual([401, 401, 401, 401]);
    await occupy(32);
    expect(await seen()).toEqual([401, 401, 401, 503]);
    await occupy(48);
    expect(await seen()).toEqual([401, 401, 503, 503]);
    await occupy(58);
    expect(await seen()).toEqual([401, 503, 503, 503]);

    const shed = await call('/v2/profiles');
    expect([shed.json().code, shed.headers['retry-after']]).toEqual(['SERVICE_UNAVAILABLE', '1']);
    expect((await call('/api/v1/web-api/events')).headers['retry-after']).toBe('5');
    expect(await gateway.parts.metrics.text()).toMatch(
      /gateway_shed_total\{reason="in-flight",priority="bulk"\} [1-9]/,
    );

    mayFinish.resolve();
    expect((await Promise.all(waiting)).every(({ statusCode }) => statusCode === 422)).toBe(true);
    expect(await seen()).toEqual([401, 401, 401, 401]);
  });
});
