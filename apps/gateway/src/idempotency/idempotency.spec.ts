import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { RecordFallback, ReportEvents, SaveProfile, ServePaywall } from '@paywright/contracts';
import { CommandTimeout, ServiceOverloaded } from '@paywright/messaging';
import { servedPaywall } from '../testing/fake-backend.ts';
import { restRoutes } from '../testing/rest-routes.ts';
import { otherSecretKey, startTestGateway, type TestGateway } from '../testing/test-gateway.ts';
import { InMemoryIdempotencyStore } from './in-memory-idempotency-store.ts';

const url = '/v2/profiles';
const body = { country: 'DE', device: 'd', os: 'o', platform: 'ios', appVersion: '1' };

let gateway: TestGateway;
let keys = 0;
let key: string;
beforeAll(async () => {
  gateway = await startTestGateway();
});
beforeEach(() => {
  gateway.reset();
  key = `key-${(keys += 1)}`;
});
afterAll(() => gateway.app.close());

const save = (json: unknown, headers: Record<string, string> = {}) =>
  gateway.request('POST', url, json, { 'idempotency-key': key, ...headers });
const seen = ({ statusCode, body: text }: { statusCode: number; body: string }) => [statusCode, text];

describe('the same key and body', () => {
  it('get the same status and bytes again, and are done once', async () => {
    const first = await save(body);
    gateway.clock.advance(60_000);
    const again = await save(JSON.stringify(Object.fromEntries(Object.entries(body).reverse()), null, 2));
    expect(first.statusCode).toBe(201);
    expect(seen(again)).toEqual(seen(first));
    expect(again.headers['content-type']).toBe(first.headers['content-type']);
    expect(gateway.backend.sent).toHaveLength(1);
  });

  it.each(['/v2/%70rofiles', '/%76%32/profiles', '/v2/profiles?'])('are known on the path spelt %s', async (spelt) => {
    const first = await save(body);
    expect(seen(await gateway.request('POST', spelt, body, keyed()))).toEqual(seen(first));
    expect(gateway.backend.sent).toHaveLength(1);
  });

  it('wait for the first request while it runs', async () => {
    const finish = Promise.withResolvers<void>();
    gateway.backend.on(SaveProfile, async () => {
      await finish.promise;
      return { refusal: { code: 'ATTRIBUTE_NOT_FOUND', message: 'once' } };
    });
    const requests = Array.from({ length: 5 }, () => save(body));
    setTimeout(finish.resolve, 50);
    const answers = await Promise.all(requests);
    expect(new Set(answers.map(({ body: text }) => text)).size).toBe(1);
    expect(gateway.backend.sent).toHaveLength(1);
  });

  it.each([
    ['refused for its shape', () => save({ ...body, country: 'ZZ' }), 400],
    [
      'refused as not found',
      () => gateway.request('POST', '/v2/paywall', { profileId: 'p', placementId: 'x' }, keyed()),
      404,
    ],
  ])('are answered as before when %s', async (_, send, status) => {
    const first = await send();
    expect(first.statusCode).toBe(status);
    expect(seen(await send())).toEqual(seen(first));
  });

  it('are answered as before when refused by a rule', async () => {
    const refusal = { code: 'TOO_MANY_ATTRIBUTES', message: 'full' } as const;
    gateway.backend.on(SaveProfile, () => ({ refusal }));
    const first = await save(body);
    gateway.backend.reset();
    expect(seen(await save(body))).toEqual(seen(first));
    expect(first.statusCode).toBe(422);
  });

  it('fetch the same paywall with the same token', async () => {
    const { profileId } = (await gateway.request('POST', url, body)).json().data;
    const fetch = () => gateway.request('POST', '/v2/paywall', { profileId, placementId: 'onboarding' }, keyed());
    const first = await fetch();
    gateway.clock.advance(5);
    expect(seen(await fetch())).toEqual(seen(first));
  });

  it('repeat the same command after an answer that said "not now"', async () => {
    gateway.backend.on(SaveProfile, () => Promise.reject(new CommandTimeout('late')));
    expect((await save(body)).statusCode).toBe(503);
    gateway.backend.on(SaveProfile, () => ({ reply: { created: true } }));
    gateway.backend.readModelIsBehind = true;
    expect((await save(body)).statusCode).toBe(503);
    const [first, second] = gateway.backend.sent;
    expect([second?.id, second?.key]).toEqual([first?.id, first?.key]);
  });
});

describe('the same key, where selection is late and the database away,', () => {
  const gone = () => Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }));
  const late = () => Promise.reject(new CommandTimeout('late'));
  const store = new InMemoryIdempotencyStore();
  const answer = store.answer.bind(store);
  let broken: TestGateway;
  let profileId: string;
  beforeAll(async () => {
    broken = await startTestGateway({ idempotencyKeys: store, ...partsOf(gateway) });
  });
  beforeEach(async () => {
    store.answer = answer;
    profileId = (await broken.request('POST', url, body)).json().data.profileId;
    gateway.backend.on(ServePaywall, late);
  });
  afterAll(() => broken.app.close());

  const fetch = async () => {
    const response = await broken.request('POST', '/v2/paywall', { profileId, placementId: 'onboarding' }, keyed());
    gateway.clock.advance(20_000);
    if (response.statusCode !== 200) return { status: response.statusCode };
    const verification = broken.parts.tokens.verify(response.json().data.paywallSessionId);
    return { status: 200, decisionId: verification.ok ? verification.claims.decisionId : null };
  };
  const superseded = () => gateway.backend.posted.map(({ body }) => RecordFallback.body.parse(body).supersedes);

  it('gets a decision that counts, when selection is there again', async () => {
    store.answer = gone;
    expect(await fetch()).toEqual({ status: 503 });
    store.answer = answer;
    gateway.backend.on(ServePaywall, (command) => servedPaywall(command));
    const { decisionId } = await fetch();
    expect(decisionId).toBe(gateway.backend.sent.at(-1)?.id);
    expect(superseded()).toEqual([]);
  });

  it('gets one fallback, which is recorded, when selection is late again', async () => {
    store.answer = gone;
    expect(await fetch()).toEqual({ status: 503 });
    store.answer = answer;
    const { decisionId } = await fetch();
    expect(gateway.backend.posted.map(({ id }) => id)).toEqual([decisionId]);
    expect(superseded()).toEqual([gateway.backend.sent.at(-1)?.id]);
  });

  it('gets the fallback that was kept although the database said nothing, and it is recorded', async () => {
    store.answer = async (...given) => {
      await answer(...given);
      return gone();
    };
    expect(await fetch()).toEqual({ status: 503 });
    expect(gateway.backend.posted).toEqual([]);
    gateway.backend.on(ServePaywall, (command) => servedPaywall(command));
    const { decisionId } = await fetch();
    expect(gateway.backend.posted).toMatchObject([{ type: 'RecordFallback', id: decisionId, key: profileId }]);
    expect(await fetch()).toEqual({ status: 200, decisionId });
    const [first, second] = gateway.backend.posted;
    expect(second).toEqual(first);
  });

  it('gets nothing that was taken over while it was late', async () => {
    store.answer = () => Promise.resolve(false);
    expect(await fetch()).toEqual({ status: 503 });
    expect(gateway.backend.posted).toEqual([]);
  });

  it('gets no fallback that cannot be recorded now', async () => {
    const { post } = broken.parts.commands;
    broken.parts.commands.post = () => {
      throw new ServiceOverloaded('full');
    };
    expect(await fetch()).toEqual({ status: 503 });
    expect(await fetch()).toEqual({ status: 503 });
    broken.parts.commands.post = post;
    const { decisionId } = await fetch();
    expect(gateway.backend.posted).toMatchObject([{ id: decisionId }]);
  });
});

describe('a kept answer that shows somebody', () => {
  const person = { ...body, appUserId: 'ann' };
  let watched: TestGateway;
  let looks: number;
  let look: TestGateway['parts']['profiles']['findImpersonal'];
  beforeAll(async () => {
    const { profiles } = gateway.parts;
    const findImpersonal: typeof look = (...asked) => {
      looks += 1;
      return look(...asked);
    };
    watched = await startTestGateway({ ...partsOf(gateway), profiles: { ...profiles, findImpersonal } });
  });
  beforeEach(() => {
    [looks, look] = [0, gateway.parts.profiles.findImpersonal];
  });
  afterAll(() => watched.app.close());

  const send = () => watched.request('POST', url, person, keyed());
  /** By a gateway that forgets nothing of what `watched` keeps: as if it was kept after that. */
  const erase = (profileId: string) =>
    gateway.inject({
      method: 'DELETE',
      url: `/admin/v1/apps/1/profiles/${profileId}`,
      headers: { authorization: 'Bearer admin-token' },
    });
  const gone = () => Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }));

  it('is not given, and not kept, once they are erased', async () => {
    const first = await send();
    expect((await send()).body).toBe(first.body);
    expect(first.body).toContain('"ann"');
    expect((await erase(first.json().data.profileId)).statusCode).toBe(202);
    const again = await send();
    expect([again.statusCode, again.json().code]).toEqual([404, 'PROFILE_NOT_FOUND']);
    look = gone;
    expect((await send()).body).toBe(again.body);
  });

  it('is not given while it cannot be told whether they are', async () => {
    const first = await send();
    look = gone;
    expect((await send()).statusCode).toBe(503);
    look = gateway.parts.profiles.findImpersonal;
    expect((await send()).body).toBe(first.body);
  });

  it('is the only one that is looked after', async () => {
    const profileId = (await send()).json().data.profileId;
    key = `${key}-paywall`;
    const fetch = () => watched.request('POST', '/v2/paywall', { profileId, placementId: 'onboarding' }, keyed());
    const first = await fetch();
    looks = 0;
    expect((await fetch()).body).toBe(first.body);
    expect(looks).toBe(0);
  });
});

const keyed = () => ({ 'idempotency-key': key });
const partsOf = ({ parts: { commands, profiles, progress, clock } }: TestGateway) => ({
  commands,
  profiles,
  progress,
  clock,
});

describe('the same key', () => {
  it.each([{ ...body, os: 'p' }, { ...body, extra: 1 }, {}, [], 7, null])(
    'with the body %j is refused',
    async (other) => {
      await save(body);
      const response = await save(other);
      expect([response.statusCode, response.json().code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    },
  );

  it('with a body that is no JSON is malformed, as ever', async () => {
    await save(body);
    expect((await save('{')).json().code).toBe('MALFORMED_JSON');
  });

  it('is another in another app, with another method, on another path', async () => {
    const first = await save(body);
    expect((await save(body, { authorization: otherSecretKey })).body).not.toBe(first.body);
    const v1 = await gateway.request('POST', '/api/v1/web-api/profiles', body, keyed());
    expect(v1.json().data.profileId).not.toBe(first.json().data.profileId);
  });

  it('needs no more than the route to tell paths apart: none has a parameter', () =>
    expect(restRoutes.filter(([, path]) => path.includes(':'))).toEqual([]));

  it('is forgotten after 24 hours', async () => {
    const first = await save(body);
    gateway.clock.advance(24 * 3_600_000 - 1);
    expect((await save(body)).body).toBe(first.body);
    gateway.clock.advance(1);
    expect((await save({ ...body, os: 'p' })).statusCode).toBe(201);
  });

  it('says nothing to who is not admitted', async () => {
    await save(body);
    expect((await save(body, { authorization: 'nobody' })).statusCode).toBe(401);
  });
});

it.each(['', 'a b', 'é', 'x'.repeat(256)])('does not take the key %j', async (bad) => {
  const response = await save(body, { 'idempotency-key': bad });
  expect([response.statusCode, response.json().error]).toEqual([
    400,
    'Idempotency-Key must be 1 to 255 visible ASCII characters.',
  ]);
});

it('does not give an answer that it could not keep: 500 or 503, and the same work the next time', async () => {
  const store = new InMemoryIdempotencyStore();
  const answer = store.answer.bind(store);
  store.answer = () => Promise.reject(Object.assign(new Error('down'), { code: 'ECONNREFUSED' }));
  await using broken = await startTestGateway({ idempotencyKeys: store });
  const send = () => broken.request('POST', url, body, keyed());
  const refused = await send();
  expect([refused.statusCode, refused.json().code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  store.answer = answer;
  broken.clock.advance(20_000);
  expect((await send()).statusCode).toBe(201);
  const [first, second] = broken.backend.sent;
  expect(second?.id).toBe(first?.id);
});

it('logs a defect that keeps an answer from being kept, with the id of its request', async () => {
  const store = new InMemoryIdempotencyStore();
  store.answer = () => Promise.reject(new TypeError('a secret of the code'));
  await using broken = await startTestGateway({ idempotencyKeys: store });
  const { statusCode, headers, body: text } = await broken.request('POST', url, body, keyed());
  expect([statusCode, text]).toEqual([500, expect.not.stringContaining('secret')]);
  const failed = broken.lines.filter((line) => line.includes('a secret of the code'));
  expect(failed.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'error', requestId: headers['x-request-id'], method: 'POST', route: url },
  ]);
});

it('leaves requests without a key alone', async () => {
  const event = { eventType: 'tapped', customerUserId: 'u' };
  await gateway.request('POST', '/api/v1/web-api/profiles', { customerUserId: 'u' });
  for (let i = 0; i < 2; i += 1) await gateway.request('POST', '/api/v1/web-api/events', [event]);
  expect(gateway.backend.sent.filter(({ type }) => type === ReportEvents.type)).toHaveLength(2);
});
