import { exampleCatalog } from '@paywright/contracts/testing';
import { ManualClock } from '@paywright/platform';
import { StoreAccess } from '@paywright/store-credentials';
import { exampleCredentials, InMemoryCredentialsBook } from '@paywright/store-credentials/testing';
import { googleKeys, storesConfig, storeSettings } from '@paywright/stores';
import {
  AppStorePki,
  notificationPayload,
  PlayPushIssuer,
  playPushBody,
  renewalPayload,
  stripeWebhook,
  transactionPayload,
  type Fields,
  type PlayDeveloperNotification,
  type PlayPushClaims,
} from '@paywright/stores/testing';
import type { LightMyRequestResponse } from 'fastify';
import { z } from 'zod';
import { secondApp, startOfTime, startTestGateway } from '../../testing/test-gateway.ts';

const { bundleId, packageName } = exampleCatalog.app;
const [webhookSecret = ''] = exampleCredentials.stripe.webhookSecrets;
const { appAppleId } = exampleCredentials.app_store;

/** Must appear nowhere but sealed. */
export const purchaseToken = 'sentinel-purchase-token';
const renewed = { subscriptionNotification: { notificationType: 2, purchaseToken } };

type Headers = Readonly<Record<string, string | string[]>>;

/**
 * The gateway and the three stores that notify it: the first app has credentials for all, the second for none. Both
 * have the same bundle id and package.
 */
export async function notifiedGateway() {
  const clock = new ManualClock(startOfTime);
  const [pki, issuer] = await Promise.all([AppStorePki.create(), PlayPushIssuer.start()]);
  const credentials = new InMemoryCredentialsBook(clock);
  const settings = storeSettings({ ...z.object(storesConfig).parse({}), NODE_ENV: 'test' });
  const appStore = { ...settings.appStore, rootCertificates: [pki.rootCertificate] };
  const stores = new StoreAccess({ book: credentials, settings: { ...settings, appStore }, clock, wallClock: clock });
  const keys = googleKeys(issuer.keysUrl, 1_000);
  const gateway = await startTestGateway({ clock, credentials, stores, googleKeys: keys });
  const restore = async () => {
    gateway.reset();
    clock.set(startOfTime);
    await credentials.put(1, 'app_store', exampleCredentials.app_store);
    await credentials.put(1, 'play_store', exampleCredentials.play_store);
    await credentials.put(1, 'stripe', exampleCredentials.stripe);
    for (const store of ['app_store', 'play_store', 'stripe'] as const)
      await credentials.remove(secondApp.appId, store);
  };
  await restore();

  const post = (path: string, payload: string | Buffer, headers: Headers = {}) =>
    gateway.inject({
      method: 'POST',
      url: `/notifications/${path}`,
      headers: { 'content-type': 'application/json', ...headers },
      payload,
    });

  const identity = () => ({
    audience: exampleCredentials.play_store.pushAudience ?? '',
    email: exampleCredentials.play_store.pushServiceAccountEmail ?? '',
    now: clock.now(),
  });

  /** A renewal, signed in all its parts. `of` replaces fields of the data and of the transaction. */
  const appleBody = (fields: Fields = {}, signer: AppStorePki = pki, of: Fields = {}): string => {
    const now = clock.now();
    const data = {
      appAppleId,
      bundleId,
      signedTransactionInfo: signer.sign(transactionPayload(now, { bundleId, ...of })),
      signedRenewalInfo: signer.sign(renewalPayload(now)),
      ...of,
    };
    return JSON.stringify({ signedPayload: signer.sign(notificationPayload(now, 'DID_RENEW', data, fields)) });
  };
  const playBody = (notification: PlayDeveloperNotification = renewed, of = packageName ?? ''): string =>
    JSON.stringify(playPushBody(of, notification, { messageId: 'message-1', publishedAt: clock.now() }));
  const playHeaders = async (claims: PlayPushClaims = {}) => ({
    authorization: `Bearer ${await issuer.token(identity(), claims)}`,
  });
  const stripeEvent = (type = 'customer.subscription.updated', object: object = { id: 'sub_1' }) => {
    const created = Math.floor(clock.now() / 1_000);
    const event = { id: 'evt_1', object: 'event' as const, type, livemode: true, created, data: { object } };
    const { raw, signature } = stripeWebhook(event, webhookSecret, clock.now());
    return { raw, headers: { 'stripe-signature': signature } };
  };

  return {
    gateway,
    clock,
    credentials,
    pki,
    restore,
    post,
    appleBody,
    playBody,
    playHeaders,
    stripeEvent,
    /** To the first app; a genuine one, unless given. */
    apple: (body = appleBody(), headers: Headers = {}) => post('1/app-store', body, headers),
    play: async (body = playBody(), headers?: Headers) => post('1/play-store', body, headers ?? (await playHeaders())),
    stripe: ({ raw, headers } = stripeEvent()) => post('1/stripe', raw, headers),
    delivered: () => gateway.backend.delivered,
    warnings: () => gateway.lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'warn'),
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await issuer.stop();
    },
  };
}

/** How a store was answered: status, and the code of an error or the body of success. */
export const seen = (response: LightMyRequestResponse) => [
  response.statusCode,
  response.json().code ?? response.json(),
];
export const taken = { ok: true, data: {} };

export type NotifiedGateway = Awaited<ReturnType<typeof notifiedGateway>>;
