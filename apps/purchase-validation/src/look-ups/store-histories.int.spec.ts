import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { TakeNotification } from '@paywright/contracts';
import type { OutgoingMessage } from '@paywright/messaging';
import { createLogger, ManualClock, Metrics, Sealing, SystemClock } from '@paywright/platform';
import { chainIdOf, emptyChain, notificationCommandId } from '@paywright/purchases';
import { StoreAccess } from '@paywright/store-credentials';
import { InMemoryCredentialsBook } from '@paywright/store-credentials/testing';
import { appStoreDefaults } from '@paywright/stores';
import {
  AppStoreApiServer,
  appStoreHistoryMs,
  AppStorePki,
  exampleApp,
  notificationPayload,
  StripeApiServer,
} from '@paywright/stores/testing';
import { testDatabase, type TestDatabase } from '@paywright/testing';
import { generateKeyPairSync } from 'node:crypto';
import { AppSettingsBook } from '../asking/app-settings.ts';
import { PlayChains } from '../asking/play-chains.ts';
import { StoreGuard } from '../asking/store-guard.ts';
import { appId, masterKey, noon, snapshot } from '../testing/asking-scene.ts';
import { StoreHistories } from './store-histories.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const nowhere = 'http://127.0.0.1:9';
const { privateKey, publicKey } = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const known = { bundleId: exampleApp.bundleId, issuerId: 'issuer-1', keyId: 'KEY1', publicKey };

let database: TestDatabase;
let pki: AppStorePki;
let production: AppStoreApiServer;
let sandbox: AppStoreApiServer;
let stripe: StripeApiServer;
/** When Stripe was last asked about a chain, by chain id, in milliseconds. */
let observedAt: Map<string, number>;
let logged: object[];
let clock: ManualClock;
let published: OutgoingMessage[];

beforeEach(async () => {
  clock = new ManualClock(noon);
  [database, pki, production, sandbox, stripe] = await Promise.all([
    testDatabase('purchase-validation'),
    AppStorePki.create(),
    AppStoreApiServer.start(known, { clock, keptMs: appStoreHistoryMs.production }),
    AppStoreApiServer.start(known, { clock, keptMs: appStoreHistoryMs.sandbox }),
    StripeApiServer.start('sk_live_1'),
  ]);
  observedAt = new Map();
  logged = [];
  published = [];
});
afterEach(() => Promise.all([production.stop(), sandbox.stop(), stripe.stop(), database[Symbol.asyncDispose]()]));

async function histories(): Promise<StoreHistories> {
  const wallClock = new SystemClock();
  const logger = {
    ...createLogger({ service: 'test', level: 'error' }),
    info: (line: object) => void logged.push(line),
  };
  const book = new InMemoryCredentialsBook(clock);
  const credentials = { issuerId: known.issuerId, keyId: known.keyId, privateKey, appAppleId: exampleApp.appAppleId };
  await book.put(appId, 'app_store', credentials);
  await book.put(appId, 'stripe', { apiKey: 'sk_live_1', webhookSecrets: [] });
  const access = new StoreAccess({
    ...{ book, clock, wallClock },
    settings: {
      appStore: {
        ...appStoreDefaults,
        baseUrls: { production: production.url, sandbox: sandbox.url },
        rootCertificates: [pki.rootCertificate],
      },
      playStore: { baseUrl: nowhere, tokenUris: [], timeoutMs: 1 },
      stripe: { baseUrl: stripe.url, timeoutMs: 5_000 },
      googleKeys: { url: nowhere, timeoutMs: 1 },
    },
  });
  const apps = new AppSettingsBook();
  apps.apply(snapshot);
  return new StoreHistories({
    ...{ pool: database.pool, access, apps, clock, logger },
    guard: new StoreGuard(new Metrics()),
    playChains: new PlayChains(database.pool),
    purchases: {
      findChain: async (chainId) => {
        const at = observedAt.get(chainId);
        return at === undefined ? null : { ...emptyChain, chainId, observedAt: at };
      },
    },
    tokens: new Sealing(masterKey, 'purchase-token'),
    publish: (messages) => {
      published.push(...messages);
      return Promise.resolve();
    },
  });
}

function notified(environment: 'Production' | 'Sandbox', notificationUUID: string): void {
  const api = environment === 'Production' ? production : sandbox;
  api.notifications.push(pki.sign(notificationPayload(noon, 'TEST', { environment }, { notificationUUID })));
}

/** The notifications that were taken in since the last time. */
const taken = (): string[] =>
  published
    .splice(0)
    .map(({ value }) => (JSON.parse(String(value)) as TakeNotification['body']).notification.notificationId);

describe('the history of the App Store', () => {
  it('is read of both environments, and again after an hour', async () => {
    const reader = await histories();
    notified('Production', 'p1');
    notified('Sandbox', 's1');
    await reader.readOn();
    expect(taken()).toEqual(['p1', 's1']);
    clock.advance(59 * minute);
    await reader.readOn();
    expect(taken()).toEqual([]);
    clock.advance(minute);
    await reader.readOn();
    expect(taken()).toEqual(['p1', 's1']);
  });

  it.each(['production', 'sandbox'] as const)('is read of the other where %s refuses the app', async (refusing) => {
    const reader = await histories();
    const api = refusing === 'production' ? production : sandbox;
    notified(refusing === 'production' ? 'Sandbox' : 'Production', 'other');
    api.faults.push({ kind: 'refused' });
    await reader.readOn();
    expect(taken()).toEqual(['other']);
    clock.advance(59 * minute);
    await reader.readOn();
    expect(taken()).toEqual([]);
  });

  it.each(['production', 'sandbox'] as const)('is read from the same place again where %s fails', async (failing) => {
    const reader = await histories();
    const api = failing === 'production' ? production : sandbox;
    notified(failing === 'production' ? 'Production' : 'Sandbox', 'late');
    api.faults.push({ kind: 'broken' });
    await reader.readOn();
    expect(taken()).toEqual([]);
    clock.advance(5 * minute);
    await reader.readOn();
    expect(taken()).toEqual(['late']);
  });

  it.each(['production', 'sandbox'] as const)('is read once of the other where %s fails', async (failing) => {
    const reader = await histories();
    notified(failing === 'production' ? 'Sandbox' : 'Production', 'other');
    const api = failing === 'production' ? production : sandbox;
    for (let i = 0; i < 3; i++) api.faults.push({ kind: 'broken' });
    for (let i = 0; i < 3; i++, clock.advance(5 * minute)) await reader.readOn();
    expect(api.faults).toEqual([]);
    expect(taken()).toEqual(['other']);
  });

  it('is not taken for read where both refuse the app: it is read an hour later', async () => {
    const reader = await histories();
    for (const api of [production, sandbox]) api.faults.push({ kind: 'refused' });
    await reader.readOn();
    notified('Production', 'p1');
    clock.advance(59 * minute);
    await reader.readOn();
    expect(taken()).toEqual([]);
    clock.advance(minute);
    await reader.readOn();
    expect(taken()).toEqual(['p1']);
  });

  it.each([31, 181])('is read on of both after %i days, as far back as each is kept', async (days) => {
    const reader = await histories();
    await reader.readOn();
    clock.advance(days * day);
    notified('Production', 'p1');
    notified('Sandbox', 's1');
    await reader.readOn();
    expect(taken()).toEqual(['p1', 's1']);
    clock.advance(5 * minute);
    await reader.readOn();
    expect(taken()).toEqual([]);
  });
});

describe('the events of Stripe', () => {
  const happened = (id: string, type: string, object: object, at = noon - minute) =>
    stripe.events.set(id, {
      ...{ id, object: 'event', type, livemode: true, created: Math.floor(at / 1000) },
      data: { object },
    });
  const chainOf = (id: string) => chainIdOf(appId, 'stripe', id);

  it('are taken in under their own ids, of each object the newest', async () => {
    happened('evt_1', 'customer.subscription.created', { id: 'sub_1' });
    happened('evt_2', 'invoice.paid', { parent: { subscription_details: { subscription: 'sub_1' } } });
    happened('evt_3', 'charge.refunded', { id: 'ch_1', payment_intent: 'pi_1' });
    happened('evt_4', 'customer.created', { id: 'cus_1' });
    await (await histories()).readOn();
    expect(published.map(({ key, headers }) => [key, headers?.['id']])).toEqual([
      [chainOf('ch_1'), notificationCommandId(appId, 'stripe', 'evt_3')],
      [chainOf('sub_1'), notificationCommandId(appId, 'stripe', 'evt_2')],
    ]);
    expect(published.map(({ value }) => JSON.parse(String(value)) as unknown)).toMatchObject([
      { content: { subject: { kind: 'charge', id: 'ch_1', paymentIntent: 'pi_1' } } },
      {
        notification: { notificationId: 'evt_2', notificationType: 'invoice.paid' },
        content: { store: 'stripe', subject: { kind: 'subscription', id: 'sub_1' } },
      },
    ]);
  });

  it('are left out where Stripe was asked about the object since', async () => {
    for (const id of ['sub_1', 'sub_2']) happened(`evt_${id}`, 'customer.subscription.updated', { id });
    observedAt.set(chainOf('sub_1'), noon - minute + 3_000);
    observedAt.set(chainOf('sub_2'), noon - minute - 1_000);
    await (await histories()).readOn();
    expect(taken()).toEqual(['evt_sub_2']);
  });

  it('are read page by page, an hour later from where they were read to, and after a month’s pause', async () => {
    const reader = await histories();
    for (let i = 0; i < 150; i++) happened(`evt_${i}`, 'customer.subscription.created', { id: `sub_${i}` });
    await reader.readOn();
    expect(taken()).toHaveLength(150);
    clock.advance(60 * minute);
    happened('later', 'customer.subscription.deleted', { id: 'sub_1' }, clock.now() - minute);
    await reader.readOn();
    expect(taken()).toContain('later');
    clock.advance(40 * day);
    happened('latest', 'customer.subscription.created', { id: 'sub_x' }, clock.now() - 28 * day);
    await reader.readOn();
    expect(taken()).toEqual(['latest']);
  });

  it('are asked for hourly where the key may not read them, which is said once', async () => {
    const reader = await histories();
    for (let i = 0; i < 2; i++) stripe.faults.push({ kind: 'forbidden', on: /events/ });
    happened('evt_1', 'customer.subscription.created', { id: 'sub_1' }, noon + 90 * minute);
    for (let turn = 0; turn < 24; turn++, clock.advance(5 * minute)) await reader.readOn();
    expect(stripe.calls.map(({ status }) => status)).toEqual([403, 403]);
    expect(logged).toMatchObject([{ appId, history: 'stripe', reason: 'The API key of Stripe may not read events.' }]);
    await reader.readOn();
    expect(taken()).toEqual(['evt_1']);
  });
});
