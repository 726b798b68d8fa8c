import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ForgetBuyer, ValidatePurchase } from '@paywright/contracts';
import { CommandTimeout } from '@paywright/messaging';
import { InMemoryIdempotencyStore } from '../../idempotency/in-memory-idempotency-store.ts';
import { appStoreUrl } from '../../testing/purchase-client.ts';
import { secretKey, startTestGateway, v1, type TestGateway } from '../../testing/test-gateway.ts';

const saved = { country: 'DE', device: 'd', os: 'o', platform: 'ios', email: 'ann@example.org', customerUserId: 'ann' };

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
beforeEach(() => gateway.reset());
afterAll(() => gateway.app.close());

const save = (headers: Record<string, string> = {}, body: object = saved) =>
  gateway.request('POST', `${v1}/profiles`, body, headers);
const savedId = async (): Promise<string> => (await save()).json().data.profileId;
const lastSavedId = (): string => gateway.backend.sent.at(-1)?.key ?? '';
const admin = (method: 'GET' | 'DELETE', profileId: string, appId = 1, at = gateway) =>
  at.inject({
    method,
    url: `/admin/v1/apps/${appId}/profiles/${profileId}`,
    headers: { authorization: 'Bearer admin-token' },
  });

/** Later answers to a request that creates a profile, where something happens just before the first one is kept. */
async function repeatedAfter(
  happening: (racing: TestGateway) => Promise<unknown>,
  then: (racing: TestGateway) => void = () => undefined,
) {
  const store = new InMemoryIdempotencyStore();
  await using racing = await startTestGateway({ idempotencyKeys: store });
  const keep = store.answer.bind(store);
  store.answer = async (...answer) => {
    await happening(racing);
    return keep(...answer);
  };
  const send = () => racing.request('POST', `${v1}/profiles`, saved, { 'idempotency-key': 'racing' });
  expect((await send()).statusCode).toBe(201);
  const again = await send();
  then(racing);
  return [again, await send()] as const;
}

describe('DELETE of a profile', () => {
  it('is accepted, tells when, and leaves no profile', async () => {
    const profileId = await savedId();
    const answer = await admin('DELETE', profileId);
    expect([answer.statusCode, answer.json()]).toEqual([
      202,
      { ok: true, data: { profileId, erasedAt: new Date(gateway.clock.now()).toISOString() } },
    ]);
    const [erase, forget] = gateway.backend.sent.slice(-2);
    expect(erase).toMatchObject({ type: 'EraseProfile', key: profileId, body: { actor: 'ops' } });
    expect(forget).toMatchObject({ type: 'ForgetBuyer', key: profileId, body: { erasedAt: gateway.clock.now() } });
    expect(forget?.id).not.toBe(erase?.id);
    expect((await admin('GET', profileId)).statusCode).toBe(404);
  });

  it('is the same when it is repeated, and knows the id in capitals', async () => {
    const profileId = await savedId();
    const first = await admin('DELETE', profileId);
    gateway.clock.advance(60_000);
    const again = await admin('DELETE', profileId.toUpperCase());
    expect(again.statusCode).toBe(202);
    expect(again.json().data.erasedAt).toBe(first.json().data.erasedAt);
  });

  it('is not done before its purchases and its accounts at the stores are forgotten', async () => {
    const profileId = await savedId();
    gateway.backend.on(ForgetBuyer, () => Promise.reject(new CommandTimeout('late')));
    expect((await admin('DELETE', profileId)).statusCode).toBe(503);
    gateway.backend.on(ForgetBuyer, () => ({ reply: {} }));
    expect((await admin('DELETE', profileId)).statusCode).toBe(202);
  });

  it.each(['0190a5b0-0000-7000-8000-000000000009', 'ann'])('does not know %s', async (profileId) => {
    const answer = await admin('DELETE', profileId);
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'PROFILE_NOT_FOUND']);
  });

  it('does not know a profile of another app, nor another app', async () => {
    const profileId = await savedId();
    expect((await admin('DELETE', profileId, 2)).json().code).toBe('PROFILE_NOT_FOUND');
    expect((await admin('DELETE', profileId, 9)).json().code).toBe('APP_NOT_FOUND');
    expect((await admin('GET', profileId)).statusCode).toBe(200);
  });

  it('is not told as done before every gateway sees it', async () => {
    const profileId = await savedId();
    gateway.backend.readModelIsBehind = true;
    expect((await admin('DELETE', profileId)).statusCode).toBe(503);
  });

  it('leaves no profile either that was acknowledged before the read model showed it', async () => {
    gateway.backend.readModelIsBehind = true;
    const profileId = await savedId();
    expect(await gateway.parts.unshownProfiles.find(1, profileId)).not.toBeNull();
    gateway.backend.readModelIsBehind = false;
    expect((await admin('DELETE', profileId)).statusCode).toBe(202);
    expect(await gateway.parts.unshownProfiles.find(1, profileId)).toBeNull();
  });

  it('is for admins alone', async () => {
    const profileId = await savedId();
    const headers = { authorization: secretKey };
    const answer = await gateway.inject({ method: 'DELETE', url: `/admin/v1/apps/1/profiles/${profileId}`, headers });
    expect(answer.statusCode).toBe(401);
  });
});

describe('what was answered under a key', () => {
  it('shows the person no more, and a request sent again brings nobody back', async () => {
    const key = { 'idempotency-key': 'first' };
    const profileId = (await save(key)).json().data.profileId;
    expect((await save(key)).body).toContain('ann@example.org');
    await admin('DELETE', profileId);
    const again = await save(key);
    expect([again.statusCode, again.json().code]).toEqual([404, 'PROFILE_NOT_FOUND']);
    expect((await admin('GET', profileId)).statusCode).toBe(404);
  });

  it.each(['/custom-attributes', '/custom-attributes-all'])('shows no attribute of theirs: %s', async (path) => {
    const profileId = await savedId();
    const custom = { key: 'nickname', value: 'Annie' };
    const body = { profileId, custom: path.endsWith('all') ? [custom] : custom };
    const set = () => gateway.request('POST', `${v1}/profiles${path}`, body, { 'idempotency-key': 'attribute' });
    expect((await set()).body).toContain('Annie');
    expect((await set()).body).toContain('Annie');
    await admin('DELETE', profileId);
    const again = await set();
    expect([again.statusCode, again.json().code]).toEqual([404, 'PROFILE_NOT_FOUND']);
  });

  it('is not waited for either, where the answer was lost: there is no such profile', async () => {
    const key = { 'idempotency-key': 'lost' };
    await savedId();
    gateway.backend.readModelIsBehind = true;
    const change = { ...saved, email: 'anna@example.org' };
    expect((await save(key, change)).statusCode).toBe(503);
    gateway.backend.readModelIsBehind = false;
    await admin('DELETE', lastSavedId());
    const again = await save(key, change);
    expect([again.statusCode, again.json().code]).toEqual([404, 'PROFILE_NOT_FOUND']);
  });

  it('shows nobody who was erased while a store was asked about their purchase', async () => {
    const profileId = await savedId();
    const purchase = { productId: 'premium.monthly', transactionId: '2000', originalTransactionId: '1000' };
    const validate = () =>
      gateway.request('POST', appStoreUrl, { profileId, ...purchase }, { 'idempotency-key': 'purchase' });
    const asked = Promise.withResolvers<void>();
    const store = Promise.withResolvers<void>();
    gateway.backend.on(ValidatePurchase, async (command) => {
      asked.resolve();
      await store.promise;
      return gateway.backend.sell(command);
    });
    const underWay = validate();
    await asked.promise;
    await admin('DELETE', profileId);
    store.resolve();
    const answers = [await underWay, await validate()];
    expect(answers.map((answer) => [answer.statusCode, answer.json().code])).toEqual([
      [404, 'PROFILE_NOT_FOUND'],
      [404, 'PROFILE_NOT_FOUND'],
    ]);
  });

  it('shows nobody who was erased just before it was kept', async () => {
    const [again] = await repeatedAfter((racing) => admin('DELETE', racing.backend.sent.at(-1)?.key ?? '', 1, racing));
    expect([again.statusCode, again.json().code]).toEqual([404, 'PROFILE_NOT_FOUND']);
  });

  it('stays where the read model may only lack the profile, and is given when it shows it again', async () => {
    let bringBack = () => {};
    const lose = async ({ backend }: TestGateway) => {
      bringBack = backend.lose(backend.sent.at(-1)?.key ?? '');
      backend.progress.mayLack = true;
    };
    const [meanwhile, again] = await repeatedAfter(lose, () => bringBack());
    expect([meanwhile.statusCode, meanwhile.json().code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect([again.statusCode, again.json().data.email]).toEqual([201, 'ann@example.org']);
  });

  it('stays for others', async () => {
    const key = { 'idempotency-key': 'other' };
    const first = await save(key, { ...saved, customerUserId: 'bob' });
    await admin('DELETE', await savedId());
    expect((await save(key, { ...saved, customerUserId: 'bob' })).body).toBe(first.body);
  });
});

it('lets the customer come back under the same id, with nothing of before', async () => {
  const profileId = await savedId();
  await admin('DELETE', profileId);
  const answer = await save({}, { customerUserId: 'ann' });
  expect([answer.statusCode, answer.json().data]).toMatchObject([201, { profileId, email: null, country: null }]);
});
