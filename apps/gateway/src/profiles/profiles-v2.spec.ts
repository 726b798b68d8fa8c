import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../testing/test-gateway.ts';

const url = '/v2/profiles';
const required = { country: 'DEU', device: 'Pixel 11', os: 'Android 17', platform: 'android', appVersion: '1.0' };
const countryMessage = 'country must be a 2-letter ISO 3166-1 alpha-2 code or an uppercase 3-letter alpha-3 code';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
beforeEach(() => gateway.reset());
afterAll(() => gateway.app.close());

const save = (body: unknown) => gateway.request('POST', url, body);

it('creates a profile: 201 with what v2 stores, null where nothing is', async () => {
  const response = await save(required);
  expect(response.statusCode).toBe(201);
  expect(response.json()).toEqual({
    ok: true,
    data: {
      profileId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      appUserId: null,
      ...required,
      country: 'DE',
      locale: null,
      ip: null,
      appBuild: null,
      advertisingId: null,
      createdAt: '2026-01-02T03:04:05.678Z',
      updatedAt: '2026-01-02T03:04:05.678Z',
    },
  });
});

it('shares its profiles with v1', async () => {
  const v1 = await gateway.request('POST', '/api/v1/web-api/profiles', { customerUserId: 'u' });
  gateway.clock.advance(1_000);
  const v2 = await save({ ...required, appUserId: 'u', ipAddress: '10.0.0.1' });
  expect(v2.statusCode).toBe(200);
  expect(v2.json().data).toMatchObject({
    profileId: v1.json().data.profileId,
    appUserId: 'u',
    ip: '10.0.0.1',
    createdAt: '2026-01-02T03:04:05.678Z',
    updatedAt: '2026-01-02T03:04:06.678Z',
  });
});

it('accepts what it does not store, and drops it', async () => {
  const dropped = [
    'currency',
    'billingCountry',
    'timezone',
    'osVersion',
    'sessionId',
    'pushToken',
    'ip',
    'customerUserId',
  ];
  const response = await save({ ...required, ...Object.fromEntries(dropped.map((name) => [name, 'dropped'])) });
  expect(response.statusCode).toBe(201);
  expect(JSON.stringify([response.json(), gateway.backend.sent])).not.toContain('dropped');
});

it.each(['DE', 'de', 'dE', 'DEU', 'XK', 'XKX'])('takes the country %s', async (country) => {
  expect((await save({ ...required, country })).json().data.country).toBe(country.startsWith('X') ? 'XK' : 'DE');
});

it.each(['deu', 'ZZZ', 'EU', '', null, undefined, 7, 'GERMANY'])('does not take the country %j', async (country) => {
  const response = await save({ ...required, country });
  expect([response.statusCode, response.json()]).toEqual([400, { error: countryMessage, code: 'VALIDATION_FAILED' }]);
});

it.each(['device', 'os', 'platform', 'appVersion'])('needs %s', async (name) => {
  const response = await save({ ...required, [name]: undefined });
  expect(response.json().error).toMatch(new RegExp(`^${name} must be`));
});

it('needs the required set beside appUserId, too', async () => {
  expect((await save({ appUserId: 'u' })).statusCode).toBe(400);
});
