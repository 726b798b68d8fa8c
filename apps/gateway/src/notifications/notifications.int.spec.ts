import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TakeNotification } from '@paywright/contracts';
import { Sealing } from '@paywright/platform';
import { chainIdOf, notificationCommandId } from '@paywright/purchases';
import { exampleCredentials, secretsOfExample } from '@paywright/store-credentials/testing';
import { notifiedGateway, purchaseToken, seen, taken, type NotifiedGateway } from './testing/notified-gateway.ts';

let scene: NotifiedGateway;
beforeAll(async () => (scene = await notifiedGateway()));
afterAll(async () => scene[Symbol.asyncDispose]());
beforeEach(() => scene.restore());

describe('a notification that is proved', () => {
  it('of the App Store brings what its signed parts say, by the chain’s key', async () => {
    expect(seen(await scene.apple())).toEqual([200, taken]);
    const notificationId = '002e14d5-51f5-4503-b5a8-c3a1af68eb20';
    expect(scene.delivered()).toEqual([
      expect.objectContaining({
        type: TakeNotification.type,
        id: notificationCommandId(1, 'app_store', notificationId),
        appId: 1,
        key: chainIdOf(1, 'app_store', '1000'),
        body: {
          notification: { notificationId, notificationType: 'DID_RENEW', subtype: null },
          content: {
            store: 'app_store',
            observation: expect.objectContaining({ originalId: '1000', environment: 'production' }),
          },
        },
      }),
    ]);
  });

  it('of Google Play names its purchase, by a token that only the purchase service can open', async () => {
    expect(seen(await scene.play())).toEqual([200, taken]);
    const [command] = scene.delivered();
    expect(command).toMatchObject({
      id: notificationCommandId(1, 'play_store', 'message-1'),
      key: chainIdOf(1, 'play_store', purchaseToken),
      body: { notification: { notificationId: 'message-1', notificationType: 'SUBSCRIPTION_RENEWED', subtype: null } },
    });
    const { content } = TakeNotification.body.parse(command?.body);
    if (content.store !== 'play_store' || content.subject === null) throw new Error('no subject of Google Play');
    const { sealedToken, ...subject } = content.subject;
    expect(subject).toEqual({ kind: 'subscription', orderId: null });
    expect(new Sealing('m'.repeat(32), 'purchase-token').open(sealedToken, '1')).toBe(purchaseToken);
    expect(JSON.stringify(command)).not.toContain(purchaseToken);
  });

  it('of Stripe names its object', async () => {
    expect(seen(await scene.stripe())).toEqual([200, taken]);
    expect(scene.delivered()).toEqual([
      expect.objectContaining({
        id: notificationCommandId(1, 'stripe', 'evt_1'),
        key: chainIdOf(1, 'stripe', 'sub_1'),
        body: {
          notification: {
            notificationId: 'evt_1',
            notificationType: 'customer.subscription.updated',
            subtype: null,
          },
          content: { store: 'stripe', subject: { kind: 'subscription', id: 'sub_1' } },
        },
      }),
    ]);
  });

  const withoutParts = { signedTransactionInfo: undefined, signedRenewalInfo: undefined };
  it.each([
    ['app_store', 'test-1', () => scene.apple(testOfApple()), { observation: null }],
    ['play_store', 'message-1', () => scene.play(scene.playBody({ testNotification: {} })), { subject: null }],
    ['stripe', 'evt_1', () => scene.stripe(scene.stripeEvent('customer.created', { id: 'cus_1' })), { subject: null }],
  ] as const)('of %s about nothing bought is taken too, under a key of its own', async (store, id, send, content) => {
    expect(seen(await send())).toEqual([200, taken]);
    expect(scene.delivered()).toMatchObject([
      { key: chainIdOf(1, store, `notification:${id}`), body: { content: { store, ...content } } },
    ]);
  });
  const testOfApple = () =>
    scene.appleBody({ notificationType: 'TEST', notificationUUID: 'test-1' }, scene.pki, withoutParts);

  it('is the same command each time, and another app’s is another', async () => {
    await scene.credentials.put(2, 'stripe', exampleCredentials.stripe);
    const event = scene.stripeEvent();
    await scene.stripe(event);
    await scene.stripe(event);
    await scene.post('2/stripe', event.raw, event.headers);
    const [first, again, other] = scene.delivered();
    expect(again).toMatchObject({ ...first, requestId: expect.any(String) }); // a request of its own, of the same news
    expect([other?.appId, other?.id === first?.id, other?.key === first?.key]).toEqual([2, false, false]);
  });

  it('is taken in the form in which its bytes were signed, and typed or not', async () => {
    const { raw, headers } = scene.stripeEvent('customer.subscription.updated', { id: 'sub_1', name: 'Zoë' });
    for (const type of ['application/json', 'application/json; charset=utf-8', 'Application/JSON'])
      expect((await scene.post('1/stripe', raw, { ...headers, 'content-type': type })).statusCode).toBe(200);
    const untyped = { method: 'POST', url: '/notifications/1/stripe', headers, payload: raw } as const;
    expect((await scene.gateway.inject(untyped)).statusCode).toBe(200);
    const typed = await scene.post('1/stripe', raw, { ...headers, 'content-type': 'text/plain' });
    expect(seen(typed)).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  it('has no idempotency key: one that is sent is not read', async () => {
    const keyed = { 'idempotency-key': 'a key with spaces' };
    expect((await scene.apple(undefined, keyed)).statusCode).toBe(200);
    expect((await scene.apple(undefined, keyed)).statusCode).toBe(200);
    expect(scene.delivered()).toHaveLength(2);
  });

  it.each([
    ['4 MiB', 4 * 1024 * 1024, 400],
    ['5 MiB', 5 * 1024 * 1024, 400],
    ['more than 5 MiB', 5 * 1024 * 1024 + 1, 413],
  ])('may have 5 MiB: %s', async (_, bytes, status) => {
    expect((await scene.post('1/stripe', Buffer.alloc(bytes, 'x'))).statusCode).toBe(status);
  });
});

it('counts what becomes of notifications, and logs one line for each that is refused, without a secret', async () => {
  const before = await counted();
  await scene.apple();
  await scene.apple('{');
  await scene.play(undefined, {});
  await scene.play(scene.playBody(undefined, 'com.other'));
  await scene.credentials.remove(1, 'stripe');
  await scene.stripe();
  const after = await counted();
  const risen = Object.entries(after).filter(([labels, value]) => value !== (before[labels] ?? 0));
  expect(risen.map(([labels, value]) => [labels, value - (before[labels] ?? 0)]).sort()).toEqual([
    ['app_store accepted', 1],
    ['app_store invalid', 1],
    ['play_store of_another_app', 1],
    ['play_store unauthorized', 1],
    ['stripe not_configured', 1],
  ]);
  expect(scene.warnings().map(({ store, result }) => `${store} ${result}`)).toEqual([
    'app_store invalid',
    'play_store unauthorized',
    'play_store of_another_app',
    'stripe not_configured',
  ]);
  const shown = scene.gateway.lines.join('') + (await scene.gateway.parts.metrics.text());
  expect(shown).not.toMatch(/sentinel|eyJ|Bearer|whsec/);
  for (const secret of secretsOfExample) expect(shown).not.toContain(secret);
});

async function counted(): Promise<Record<string, number>> {
  const text = await scene.gateway.parts.metrics.text();
  const lines = [...text.matchAll(/^notifications_total\{store="(\w+)",result="(\w+)"\} (\d+)$/gm)];
  return Object.fromEntries(lines.map(([, store, result, value]) => [`${store} ${result}`, Number(value)]));
}
