import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DeadlinePassed, PublishFailed, ServiceOverloaded } from '@paywright/messaging';
import { exampleCredentials } from '@paywright/store-credentials/testing';
import { AppStorePki } from '@paywright/stores/testing';
import { notifiedGateway, seen, taken, type NotifiedGateway } from './testing/notified-gateway.ts';

let scene: NotifiedGateway;
beforeAll(async () => (scene = await notifiedGateway()));
afterAll(async () => scene[Symbol.asyncDispose]());
beforeEach(() => scene.restore());

describe('a notification that is not', () => {
  const other = () => AppStorePki.create();
  const bearer = async () => (await scene.playHeaders()).authorization;

  it.each([
    ['signed by anybody else', async () => scene.appleBody({}, await other())],
    ['whole', async () => scene.appleBody().replace(/.(.{20})"}$/, '$1"}')],
    ['of this app', async () => scene.appleBody({}, scene.pki, { bundleId: 'com.other' })],
    ['JSON', async () => '{'],
    ['a notification', async () => '{"signedPayload":7}'],
    ['there', async () => ''],
  ])('%s is refused to the App Store with 400', async (_, body) => {
    const response = await scene.apple(await body());
    expect(seen(response)).toEqual([400, 'NOTIFICATION_INVALID']);
    expect(scene.delivered()).toEqual([]);
  });

  it.each([
    ['no token', async () => ({})],
    ['an empty one', async () => ({ authorization: 'Bearer ' })],
    ['two of them', async () => ({ authorization: [await bearer(), await bearer()] })],
    ['one of another audience', () => scene.playHeaders({ aud: 'https://elsewhere.example.com' })],
    ['one of another account', () => scene.playHeaders({ email: 'other@example.com' })],
    ['one that is past', () => scene.playHeaders({ exp: 1 })],
  ])('proved because it has %s is refused to Google with 401', async (_, headers) => {
    for (const body of [scene.playBody(), '{', '']) {
      expect(seen(await scene.play(body, await headers()))).toEqual([401, 'NOTIFICATION_UNAUTHORIZED']);
    }
    expect(scene.delivered()).toEqual([]);
  });

  it.each(['{', '[]', '{"message":{"messageId":"m","data":"!"}}', '{"message":{"messageId":"m","data":"e30="}}', ''])(
    'one of Google Play is refused with 400: %s',
    async (body) => {
      expect(seen(await scene.play(body))).toEqual([400, 'NOTIFICATION_INVALID']);
    },
  );

  it('of this app is accepted from Google, and nothing comes of it', async () => {
    expect(seen(await scene.play(scene.playBody(undefined, 'com.other')))).toEqual([200, taken]);
    expect(scene.delivered()).toEqual([]);
    expect(scene.warnings()).toMatchObject([{ appId: 1, store: 'play_store', result: 'of_another_app' }]);
  });

  it.each([
    ['signed', () => ({ ...scene.stripeEvent('invoice.paid', {}), headers: { 'stripe-signature': '' } })],
    ['as it was signed', () => ({ ...scene.stripeEvent('invoice.paid', {}), raw: Buffer.from('{"id":"evt_2"}') })],
    [
      'of now',
      () => {
        const event = scene.stripeEvent('invoice.paid', {});
        scene.clock.advance(301_000);
        return event;
      },
    ],
  ])('%s is refused to Stripe with 400', async (_, event) => {
    expect(seen(await scene.stripe(event()))).toEqual([400, 'NOTIFICATION_INVALID']);
    expect(scene.delivered()).toEqual([]);
  });

  it.each(['app-store', 'play-store', 'stripe'])('for an app that there is, to %s, finds none', async (segment) => {
    for (const appId of ['3', '0', 'x', '01'])
      expect(seen(await scene.post(`${appId}/${segment}`, '{}'))).toEqual([404, 'APP_NOT_FOUND']);
  });

  it('for a store that notifies has no route', async () => {
    expect(seen(await scene.post('1/web2wave', '{}'))).toEqual([404, 'ROUTE_NOT_FOUND']);
    const got = await scene.gateway.inject({ method: 'GET', url: '/notifications/1/stripe' });
    expect([got.statusCode, got.headers.allow]).toEqual([405, 'POST']);
  });
});

describe('a notification that cannot be taken now', () => {
  const senders = [
    ['app_store', () => scene.apple()],
    ['play_store', () => scene.play()],
    ['stripe', () => scene.stripe()],
  ] as const;

  it.each(senders)('of %s, for want of credentials, is to come again', async (store, send) => {
    await scene.credentials.remove(1, store);
    const response = await send();
    expect([...seen(response), response.headers['retry-after']]).toEqual([503, 'STORE_NOT_CONFIGURED', '1']);
    expect(scene.warnings()).toMatchObject([{ appId: 1, store, result: 'not_configured' }]);
  });

  it.each(senders)(
    'of %s, with credentials that cannot be opened, is to come again, and the log says so',
    async (store, send) => {
      scene.credentials.lock(1, store);
      expect(seen(await send())).toEqual([503, 'STORE_NOT_CONFIGURED']);
      expect(scene.warnings()).toMatchObject([{ appId: 1, store, reason: expect.stringContaining('MASTER_KEY') }]);
    },
  );

  it('of Google Play, for want of the push fields, and of Stripe, for want of a secret, is to come again', async () => {
    const { serviceAccount } = exampleCredentials.play_store;
    await scene.credentials.put(1, 'play_store', { serviceAccount });
    expect(seen(await scene.play())).toEqual([503, 'STORE_NOT_CONFIGURED']);
    await scene.credentials.put(1, 'stripe', { ...exampleCredentials.stripe, webhookSecrets: [] });
    expect(seen(await scene.stripe())).toEqual([503, 'STORE_NOT_CONFIGURED']);
  });

  it.each(senders)('of %s, while the broker is away, is to come again', async (_, send) => {
    for (const fault of [
      new DeadlinePassed('late'),
      new ServiceOverloaded('full'),
      new PublishFailed(new Error('away'), true),
    ]) {
      scene.gateway.backend.brokerFault = fault;
      const response = await send();
      expect([...seen(response), response.headers['retry-after']]).toEqual([503, 'SERVICE_UNAVAILABLE', '1']);
    }
    scene.gateway.backend.brokerFault = null;
    expect((await send()).statusCode).toBe(200);
  });

  it('waits for the broker', async () => {
    await scene.stripe();
    expect(scene.delivered()).toMatchObject([{ deadlineMs: 5_000 }]);
  });
});
