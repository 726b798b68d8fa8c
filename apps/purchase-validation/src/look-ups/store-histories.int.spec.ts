import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { TakeNotification } from '@paywright/contracts';
import type { OutgoingMessage } from '@paywright/messaging';
import { createLogger, ManualClock, Metrics, Sealing, SystemClock } from '@paywright/platform';
import { StoreAccess } from '@paywright/store-credentials';
import { InMemoryCredentialsBook } from '@paywright/store-credentials/testing';
import { appStoreDefaults } from '@paywright/stores';
import {
  AppStoreApiServer,
  appStoreHistoryMs,
  AppStorePki,
  exampleApp,
  notificationPayload,
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
let clock: ManualClock;
let published: OutgoingMessage[];

beforeEach(async () => {
  clock = new ManualClock(noon);
  [database, pki, production, sandbox] = await Promise.all([
    testDatabase('purchase-validation'),
    AppStorePki.create(),
    AppStoreApiServer.start(known, { clock, keptMs: appStoreHistoryMs.production }),
    AppStoreApiServer.start(known, { clock, keptMs: appStoreHistoryMs.sandbox }),
  ]);
  published = [];
});
afterEach(() => Promise.all([production.stop(), sandbox.stop(), database[Symbol.asyncDispose]()]));

async function histories(): Promise<StoreHistories> {
  const wallClock = new SystemClock();
  const logger = createLogger({ service: 'test', level: 'error' });
  const book = new InMemoryCredentialsBook(clock);
  const credentials = { issuerId: known.issuerId, keyId: known.keyId, privateKey, appAppleId: exampleApp.appAppleId };
  await book.put(appId, 'app_store', credentials);
  const access = new StoreAccess({
    ...{ book, clock, wallClock },
    settings: {
      appStore: {
        ...appStoreDefaults,
        baseUrls: { production: production.url, sandbox: sandbox.url },
        rootCertificates: [pki.rootCertificate],
      },
      playStore: { baseUrl: nowhere, tokenUris: [], timeoutMs: 1 },
      stripe: { baseUrl: nowhere, timeoutMs: 1 },
      googleKeys: { url: nowhere, timeoutMs: 1 },
    },
  });
  const apps = new AppSettingsBook();
  apps.apply(snapshot);
  return new StoreHistories({
    ...{ pool: database.pool, access, apps, clock, logger },
    guard: new StoreGuard(new Metrics()),
    playChains: new PlayChains(database.pool),
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
