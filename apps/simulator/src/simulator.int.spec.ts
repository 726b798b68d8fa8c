import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { inTime, simulatedWorld, type SimulatedWorld } from './testing/simulated-world.ts';

let world: SimulatedWorld;
beforeEach(async () => {
  world = await simulatedWorld();
});
afterEach(() => world.end());

const monthly = { productId: 'pro.monthly', price: 9.99 };
const buyApple = async (fields: object = {}) =>
  (await world.post('/app-store/purchases', { ...monthly, ...fields }))['originalTransactionId']!;
const observeApple = (id: string, signal = inTime()) => world.appStore.observe(id, 'production', signal);
const fault = (kind: string | number, more: object = {}) =>
  world.post('/faults', { store: 'app-store', kind, ...more });
const faults = async () => (await world.call('GET', '/faults')).body['waiting'] as readonly unknown[];
const notifications = () => world.simulator.journal.last(100, ({ kind }) => kind === 'notification');

describe('the answers of a store that is out of order', () => {
  it.each(['429', 429, '500', 'garbage', 'reset', 'html', '401', '404', '410'])('%j is its silence', async (kind) => {
    const id = await buyApple();
    await fault(kind, { count: 1 });
    await expect(observeApple(id)).rejects.toMatchObject({ kind: 'unavailable' });
    expect((await observeApple(id)).subscription?.status).toBe('active');
  });

  it('comes late, or never', async () => {
    const id = await buyApple();
    await fault('slow', { delayMs: 1 });
    expect((await observeApple(id)).subscription?.status).toBe('active');
    await fault('slow', { delayMs: 600_000 });
    const patience = new AbortController();
    const slow = expect(observeApple(id, patience.signal)).rejects.toMatchObject({ kind: 'unavailable' });
    while ((await faults()).length > 0) await delay(5);
    await observeApple(id); // asked later, and answered before
    patience.abort();
    await slow;
    await fault('timeout');
    await expect(observeApple(id, AbortSignal.timeout(200))).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('is of one store, so often, and can be ended', async () => {
    const id = await buyApple();
    await world.post('/faults', { store: 'stripe', kind: '500', count: 3 });
    expect((await observeApple(id)).subscription?.status).toBe('active');
    await expect(world.stripe.checkCredentials(inTime())).resolves.toMatchObject({ ok: false });
    expect((await world.call('GET', '/faults')).body['waiting']).toMatchObject([
      { store: 'stripe', kind: '500', count: 2 },
    ]);
    await world.call('DELETE', '/faults');
    await expect(world.stripe.checkCredentials(inTime())).resolves.toMatchObject({ ok: true });
  });
});

describe('notifications that go wrong', () => {
  it('are lost', async () => {
    await fault('notification-drop');
    const id = await buyApple();
    await world.advance('P7D');
    expect(world.heardOf(id)).toEqual([]);
    expect(notifications()).toMatchObject([
      { label: 'SUBSCRIBED/INITIAL_BUY', status: null, note: 'notification-drop' },
    ]);
  });

  it('come late by the simulated clock', async () => {
    await fault('notification-delay', { by: 'P2D' });
    const id = await buyApple();
    await world.advance('P1D');
    expect(world.heardOf(id)).toEqual([]);
    await world.advance('P1DT1H');
    expect(world.heardOf(id)).toEqual(['SUBSCRIBED/INITIAL_BUY']);
  });

  it('come twice, the same', async () => {
    await fault('notification-double');
    await buyApple();
    const [first, second] = world.gateway.received;
    expect([world.gateway.received.length, first?.body.equals(second!.body)]).toEqual([2, true]);
  });

  it('come in another order', async () => {
    const id = await buyApple();
    await fault('notification-reorder');
    await world.post(`/app-store/purchases/${id}/cancel`);
    await world.post(`/app-store/purchases/${id}/uncancel`);
    const switched = (word: string) => `DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_${word}`;
    expect(world.heardOf(id).slice(1)).toEqual([switched('ENABLED'), switched('DISABLED')]);
  });

  it('are sent again as the stores do, by the simulated clock', async () => {
    world.gateway.status = 503;
    const id = await buyApple();
    const { purchaseToken } = await world.post('/play-store/purchases', { ...monthly, basePlanId: 'monthly' });
    const sandbox = await buyApple({ environment: 'sandbox' });
    world.heardOf(id);
    const before = world.gateway.received.length;
    world.gateway.status = 200;
    await world.advance('PT30S');
    expect(world.heardOf(purchaseToken)).toHaveLength(2);
    await world.advance('PT2H');
    expect([world.heardOf(id).length, world.heardOf(sandbox).length]).toEqual([2, 1]);
    expect(world.gateway.received.length).toBe(before + 2);
  });

  it('are given up in the end, and can be looked up at Apple', async () => {
    world.gateway.status = 500;
    const id = await buyApple();
    await world.advance('P20D');
    expect(world.heardOf(id)).toHaveLength(6);
    expect(notifications().map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6]);
  });
});

describe('a simulator that is started again', () => {
  it('knows its time, its purchases, its keys and what it still has to send', async () => {
    const { folder } = world;
    await world.advance('P10D');
    const id = await buyApple();
    await fault('notification-delay', { by: 'P1D' });
    await world.post(`/app-store/purchases/${id}/cancel`);
    const before = { now: world.clock.now(), credentials: world.credentials, port: world.server.port };
    await world.end({ keeps: true });
    world = await simulatedWorld(folder);
    expect(world.clock.now()).toBeGreaterThanOrEqual(before.now);
    expect({ credentials: world.credentials, port: world.server.port }).toEqual({
      credentials: before.credentials,
      port: before.port,
    });
    expect((await observeApple(id)).subscription).toMatchObject({ willRenew: false });
    await world.advance('P2D');
    expect(world.heardOf(id)).toEqual(['DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED']);
  });
});

describe('a purchase', () => {
  it.each([
    ['/app-store/purchases', monthly, ['offerType', 'appAccountToken', 'environment', 'bundleId']],
    ['/play-store/purchases', monthly, ['basePlanId', 'offerId', 'obfuscatedAccountId', 'test', 'packageName']],
    ['/stripe/subscriptions', { priceId: 'p', amount: 999 }, ['trialDays', 'metadata', 'productId', 'customerId']],
    ['/stripe/payments', { priceId: 'p', amount: 999 }, ['metadata', 'test']],
  ])('by %s may say null for what is optional', async (path, bought, optional) => {
    const nulls = Object.fromEntries(optional.map((name) => [name, null]));
    const ids = Object.values(await world.post(path, { ...bought, ...nulls }));
    expect(ids).toEqual([expect.any(String), expect.any(String)]);
  });
});

describe('a call that is wrong', () => {
  it.each([
    ['POST', '/app-store/purchases', { productId: 'p' }, 400, 'price: is missing'],
    ['POST', '/clock/advance', {}, 400, 'by: is missing'],
    ['POST', '/app-store/purchases', { ...monthly, preis: 1 }, 400, 'preis'],
    ['POST', '/app-store/purchases', { ...monthly, price: '9,99' }, 400, 'price: must be an amount'],
    ['POST', '/app-store/purchases', { ...monthly, currency: 'ZZZ' }, 400, 'currency: must be a currency'],
    ['POST', '/app-store/purchases', { ...monthly, appId: 7 }, 404, 'appId'],
    ['POST', '/stripe/subscriptions', { priceId: 'p', amount: 9.99 }, 400, 'amount'],
    ['POST', '/play-store/purchases/none/renew', {}, 404, 'play-store has sold nothing'],
    ['POST', '/app-store/purchases/1/dance', {}, 404, 'renew, cancel'],
    ['POST', '/clock/advance', { by: 'a month' }, 400, 'by: must be an ISO 8601 duration'],
    ['POST', '/clock/advance', { by: 'P60Y' }, 400, '2068'],
    ['POST', '/faults', { store: 'app-store', kind: 'fire' }, 400, 'timeout, slow'],
    ['GET', '/nothing', undefined, 404, 'GET /'],
    ['GET', '/journal?kind=notifications', undefined, 400, 'kind: '],
    ['GET', '/journal?store=apple', undefined, 400, 'store: '],
    ['GET', '/journal?limit=all', undefined, 400, 'limit: '],
    ['GET', '/journal?app=1', undefined, 400, 'query: Unrecognized key: "app"'],
  ])('%s %s %j is told what to mend', async (method, path, body, status, words) => {
    const answer = await world.call(method, path, body);
    expect([answer.status, answer.body['error']]).toEqual([status, expect.stringContaining(words)]);
  });

  it('shows no secret in its journal', async () => {
    const { purchaseToken } = await world.post('/play-store/purchases', { ...monthly, basePlanId: 'monthly' });
    await world.play.observe({ purchaseToken: purchaseToken!, kind: null }, inTime());
    const journal = JSON.stringify((await world.call('GET', '/journal')).body);
    const { apiKey, webhookSecrets } = world.credentials.stripe;
    for (const secret of [purchaseToken!, apiKey, ...webhookSecrets, 'PRIVATE KEY'])
      expect(journal).not.toContain(secret);
    expect(journal).toContain('SUBSCRIPTION_PURCHASED');
  });
});

it('lets what falls due happen as time passes by itself', async () => {
  const { subscriptionId } = await world.post('/stripe/subscriptions', {
    priceId: 'price_1',
    amount: 999,
    period: 'PT1S',
  });
  world.simulator.timeline.start();
  for (let waited = 0; world.heardOf(subscriptionId).length < 3 && waited < 100; waited += 1) await delay(100);
  expect(world.heardOf(subscriptionId).slice(0, 3)).toEqual([
    ...['customer.subscription.created', 'invoice.paid', 'customer.subscription.updated'],
  ]);
});
