import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
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
  PlayApiServer,
  StripeApiServer,
} from '@paywright/stores/testing';
import { testDatabase, type TestDatabase } from '@paywright/testing';
import { generateKeyPairSync } from 'node:crypto';
import { AppSettingsBook } from '../asking/app-settings.ts';
import { PlayChains } from '../asking/play-chains.ts';
import { StoreGuard } from '../asking/store-guard.ts';
import { appId, masterKey, noon, packageName, snapshot } from '../testing/asking-scene.ts';
import { HeardEvents } from './heard-events.ts';
import { LookUpBook } from './look-up-book.ts';
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

/** Time stands, and is moved, beside a machine's clock that goes on, perhaps wrongly. */
class MovedClock extends ManualClock {
  readonly #aheadMs: number;

  constructor(now: number, aheadMs = 0) {
    super(now + aheadMs);
    this.#aheadMs = aheadMs;
  }

  override machineNow(): number {
    return Date.now() + this.#aheadMs;
  }
}

let database: TestDatabase;
let pki: AppStorePki;
let production: AppStoreApiServer;
let sandbox: AppStoreApiServer;
let play: PlayApiServer;
let stripe: StripeApiServer;
let lookUps: LookUpBook;
let heard: HeardEvents;
let logged: object[];
let clock: ManualClock;
let published: OutgoingMessage[];
/** How many pages of voided purchases were read when something was published. */
let voidedRead: number[];

beforeAll(async () => {
  [database, pki] = await Promise.all([testDatabase('purchase-validation'), AppStorePki.create()]);
});
afterAll(async () => await database[Symbol.asyncDispose]());
beforeEach(async () => {
  clock = new MovedClock(noon);
  await database.empty();
  [production, sandbox, play, stripe] = await Promise.all([
    AppStoreApiServer.start(known, { clock, keptMs: appStoreHistoryMs.production }),
    AppStoreApiServer.start(known, { clock, keptMs: appStoreHistoryMs.sandbox }),
    PlayApiServer.start({ packageName, wallClock: new SystemClock() }),
    StripeApiServer.start('sk_live_1'),
  ]);
  lookUps = new LookUpBook(database.pool, masterKey);
  heard = new HeardEvents(database.pool, clock);
  logged = [];
  published = [];
  voidedRead = [];
});
afterEach(async () => {
  await Promise.all([production, sandbox, play, stripe].map((store) => store.stop()));
});

async function histories(ofInstance: ManualClock = clock): Promise<StoreHistories> {
  const wallClock = new SystemClock();
  const logger = {
    ...createLogger({ service: 'test', level: 'error' }),
    info: (line: object) => void logged.push(line),
  };
  const book = new InMemoryCredentialsBook(clock);
  const credentials = { issuerId: known.issuerId, keyId: known.keyId, privateKey, appAppleId: exampleApp.appAppleId };
  await book.put(appId, 'app_store', credentials);
  await book.put(appId, 'play_store', { serviceAccount: play.serviceAccount });
  await book.put(appId, 'stripe', { apiKey: 'sk_live_1', webhookSecrets: [] });
  const access = new StoreAccess({
    ...{ book, clock, wallClock },
    settings: {
      appStore: {
        ...appStoreDefaults,
        baseUrls: { production: production.url, sandbox: sandbox.url },
        rootCertificates: [pki.rootCertificate],
      },
      playStore: { baseUrl: play.url, tokenUris: [play.serviceAccount.token_uri ?? ''], timeoutMs: 5_000 },
      stripe: { baseUrl: stripe.url, timeoutMs: 5_000 },
      googleKeys: { url: nowhere, timeoutMs: 1 },
    },
  });
  const apps = new AppSettingsBook();
  apps.apply(snapshot);
  return new StoreHistories({
    ...{ pool: database.pool, access, apps, clock: ofInstance, logger },
    guard: new StoreGuard(new Metrics()),
    playChains: new PlayChains(database.pool),
    ...{ lookUps, heard },
    tokens: new Sealing(masterKey, 'purchase-token'),
    publish: (messages) => {
      published.push(...messages);
      if (messages.length > 0)
        voidedRead.push(play.calls.filter(({ path }) => path.endsWith('voidedpurchases')).length);
      return Promise.resolve();
    },
  });
}

function notified(environment: 'Production' | 'Sandbox', notificationUUID: string, at = clock.now()): void {
  const api = environment === 'Production' ? production : sandbox;
  api.notifications.push(pki.sign(notificationPayload(at, 'TEST', { environment }, { notificationUUID })));
}

/** Aborted from the moment at which that is so. */
const stoppingWhen = (isSo: () => boolean): AbortSignal =>
  Object.defineProperty(new AbortController().signal, 'aborted', { get: isSo });
const historyPagesRead = (): number => production.calls.filter(({ path }) => path.endsWith('/history')).length;

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

  it('leaves out what is seen to, since it would be told again to all who read the events', async () => {
    for (const id of ['sent', 'lost']) notified('Production', id);
    notified('Sandbox', 'tried');
    for (const id of ['sent', 'tried']) await heard.note(appId, id);
    await heard.note(appId + 1, 'lost');
    await (await histories()).readOn();
    expect(taken()).toEqual(['lost']);
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

  it('of a long pause is left after the step under way when the service is to stop, and read on from there by another', async () => {
    const [reader, other] = [await histories(), await histories()];
    await reader.readOn();
    const ids = Array.from({ length: 190 }, (_, index) => `n${index}`);
    ids.forEach((id, index) => notified('Production', id, noon + (1 + index / 10) * day));
    clock.advance(20 * day);
    const before = historyPagesRead();
    const stopping = stoppingWhen(() => historyPagesRead() > before + 2);
    await reader.readOn(stopping);
    expect(historyPagesRead()).toBe(before + 3);
    await other.readOn();
    expect(taken()).toEqual(ids);
  });

  it('of an app with much news is read in the steps that the last turn found short enough', async () => {
    const reader = await histories();
    await reader.readOn();
    const hourOfNews = async (hour: number) => {
      for (let i = 0; i < 1_200; i++) notified('Production', `n${hour} ${i}`, clock.now() + i * 3_000);
      clock.advance(60 * minute);
      const before = historyPagesRead();
      while (await reader.readOn());
      return historyPagesRead() - before;
    };
    const first = await hourOfNews(1);
    expect(await hourOfNews(2)).toBeLessThan(first);
    expect(new Set(taken()).size).toBe(2_400);
  });

  it('is left after the page under way, where a step has many', async () => {
    const ids = Array.from({ length: 100 }, (_, index) => `n${index}`);
    ids.forEach((id, index) => notified('Production', id, noon - 50 * minute + index * 1_000));
    const stopping = stoppingWhen(() => historyPagesRead() > 1);
    await (await histories()).readOn(stopping);
    expect([historyPagesRead(), taken()]).toEqual([2, []]);
    await (await histories()).readOn();
    expect(taken()).toEqual(ids);
  });
});

it('takes in the voided purchases of Play page by page, of those that are known', async () => {
  const chains = new PlayChains(database.pool);
  play.pageSize = 2;
  for (const purchaseToken of ['t1', 'of nobody', 't2', 't3']) {
    if (purchaseToken !== 'of nobody') await chains.place(appId, purchaseToken, [], () => Promise.resolve([]));
    play.voided.push({ purchaseToken, orderId: `GPA.${purchaseToken}`, voidedTimeMillis: String(noon) });
  }
  await (await histories()).readOn();
  const tokens = new Sealing(masterKey, 'purchase-token');
  const toldOf = ({ value }: OutgoingMessage) => {
    const { content } = JSON.parse(String(value)) as TakeNotification['body'];
    if (content.store !== 'play_store' || !content.subject) return null;
    return [tokens.open(content.subject.sealedToken, String(appId)), content.subject.voids];
  };
  expect(published.map(toldOf)).toEqual([
    ['t1', 'all'],
    ['t2', 'all'],
    ['t3', 'all'],
  ]);
  expect(voidedRead).toEqual([1, 2]);
});

describe('the events of Stripe', () => {
  const happened = (id: string, type: string, object: object, at = noon - 10 * minute) =>
    stripe.events.set(id, {
      ...{ id, object: 'event', type, livemode: true, created: Math.floor(at / 1000) },
      data: { object },
    });
  /** What is to be looked up since the last time: the ids that Stripe names. */
  const lookedUp = async (): Promise<readonly string[]> => {
    const { looks: due } = await lookUps.claimDue(clock.now(), 365 * day, 12_000, [
      { appId, store: 'stripe', most: 12_000 },
    ]);
    return due.map(({ subject }) => (subject.store === 'stripe' ? subject.subject.id : '')).sort();
  };
  const pagesRead = () => stripe.calls.filter(({ path }) => path === '/v1/events').length;

  it('lead to a look at each object that they tell of', async () => {
    happened('evt_1', 'customer.subscription.created', { id: 'sub_1' });
    happened('evt_2', 'invoice.paid', { parent: { subscription_details: { subscription: 'sub_1' } } });
    happened('evt_3', 'charge.refunded', { id: 'ch_1', payment_intent: 'pi_1' });
    happened('evt_4', 'customer.created', { id: 'cus_1' });
    await (await histories()).readOn();
    expect(await lookedUp()).toEqual(['ch_1', 'sub_1']);
    expect(published).toEqual([]);
  });

  it('are left out where the newest of the object was heard by webhook', async () => {
    const subscription = 'customer.subscription.updated';
    for (const id of ['sub_1', 'sub_2']) {
      happened(`evt_older_${id}`, subscription, { id }, noon - 20 * minute);
      happened(`evt_newer_${id}`, subscription, { id });
    }
    await heard.note(appId, 'evt_newer_sub_1');
    await heard.note(appId, 'evt_older_sub_2');
    await heard.note(appId + 1, 'evt_newer_sub_2');
    await (await histories()).readOn();
    expect(await lookedUp()).toEqual(['sub_2']);
  });

  it('are left for the next turn where their webhook may still be on its way', async () => {
    const reader = await histories();
    happened('evt_1', 'customer.subscription.created', { id: 'sub_1' }, noon - minute);
    await reader.readOn();
    expect(await lookedUp()).toEqual([]);
    clock.advance(60 * minute);
    await reader.readOn();
    expect(await lookedUp()).toEqual(['sub_1']);
  });

  it('are read page by page, an hour later from where they were read to, and after a month’s pause', async () => {
    const reader = await histories();
    for (let i = 0; i < 150; i++) happened(`evt_${i}`, 'customer.subscription.created', { id: `sub_${i}` });
    await reader.readOn();
    expect(await lookedUp()).toHaveLength(150);
    clock.advance(60 * minute);
    happened('later', 'customer.subscription.deleted', { id: 'sub_1' }, clock.now() - 10 * minute);
    await reader.readOn();
    expect(await lookedUp()).toEqual(['sub_1']);
    clock.advance(40 * day);
    happened('latest', 'customer.subscription.created', { id: 'sub_x' }, clock.now() - 28 * day);
    await reader.readOn();
    expect(await lookedUp()).toEqual(['sub_x']);
  });

  it('of a busy month are read in turns, from where the last one ended', async () => {
    const [reader, many] = [await histories(), 12_000];
    await reader.readOn();
    clock.advance(29 * day);
    for (let i = 0; i < many; i++)
      happened(`evt_${i}`, 'customer.subscription.created', { id: `sub_${i}` }, noon + minute + i * 20_000);
    expect(await reader.readOn()).toBe(true);
    const first = await lookedUp();
    expect(first.length).toBeGreaterThan(many / 2);
    expect(first.length).toBeLessThan(many);
    const read = pagesRead();
    stripe.faults.push({ kind: 'forbidden', on: /events/ });
    expect(await reader.readOn()).toBe(false);
    expect(pagesRead()).toBe(read + 1);
    clock.advance(60 * minute);
    while (await reader.readOn());
    expect(new Set([...first, ...(await lookedUp())]).size).toBe(many);
    expect(pagesRead()).toBeLessThan(2 * (many / 100));
  });

  it('of a burst are read to their end, though a turn gets less far than is read twice', async () => {
    const [reader, updated] = [await histories(), 'customer.subscription.updated'];
    await reader.readOn();
    for (let i = 0; i < 7_000; i++) happened(`evt_${i}`, updated, { id: 'sub_1' }, noon - 25 * minute + i * 150);
    happened('behind', updated, { id: 'sub_2' }, noon + 20 * minute);
    for (let turns = 0; turns < 30; turns++, clock.advance(5 * minute)) await reader.readOn();
    expect(await lookedUp()).toEqual(['sub_1', 'sub_2']);
    expect(pagesRead()).toBeLessThan(8 * (7_000 / 100));
  });

  it('are left after the step under way when the service is to stop, and read on from there by another', async () => {
    const [reader, other] = [await histories(), await histories()];
    await reader.readOn();
    clock.advance(20 * day);
    for (let days = 1; days < 20; days++)
      happened(`evt_${days}`, 'customer.subscription.updated', { id: `sub_${days}` }, noon + days * day);
    const before = pagesRead();
    const stopping = stoppingWhen(() => pagesRead() > before + 2);
    await reader.readOn(stopping);
    expect(pagesRead()).toBe(before + 3);
    await other.readOn();
    expect(await lookedUp()).toHaveLength(19);
    const read = pagesRead();
    clock.advance(60 * minute);
    await other.readOn(AbortSignal.abort());
    expect(pagesRead()).toBe(read);
  });

  it('are read by one instance at a time, and by another if that one is gone', async () => {
    const [one, other, third] = [await histories(), await histories(), await histories()];
    happened('evt_1', 'customer.subscription.created', { id: 'sub_1' });
    await Promise.all([one.readOn(), other.readOn()]);
    expect(pagesRead()).toBe(1);
    await database.pool.query(
      'update store_history set read_to = to_timestamp($1::float8 / 1000), claimed_until = to_timestamp($2::float8 / 1000)',
      [noon - 60 * minute, noon + 15 * minute],
    );
    for (let turn = 0; turn < 3; turn++, clock.advance(5 * minute)) await third.readOn();
    expect(pagesRead()).toBe(1);
    await third.readOn();
    expect(pagesRead()).toBe(2);
  });

  it('are not taken for read where an instance’s clock is ahead of what has happened', async () => {
    const [ahead, right] = [await histories(new MovedClock(noon, 120 * minute)), await histories()];
    await ahead.readOn();
    happened('evt_1', 'customer.subscription.created', { id: 'sub_1' }, noon + 40 * minute);
    clock.advance(300 * minute);
    await right.readOn();
    expect(await lookedUp()).toEqual(['sub_1']);
  });

  it('are asked for hourly where the key may not read them, which is said once', async () => {
    const reader = await histories();
    for (let i = 0; i < 2; i++) stripe.faults.push({ kind: 'forbidden', on: /events/ });
    happened('evt_1', 'customer.subscription.created', { id: 'sub_1' }, noon + 90 * minute);
    for (let turn = 0; turn < 24; turn++, clock.advance(5 * minute)) await reader.readOn();
    expect(stripe.calls.map(({ status }) => status)).toEqual([403, 403]);
    expect(logged).toMatchObject([{ appId, history: 'stripe', reason: 'The API key of Stripe may not read events.' }]);
    await reader.readOn();
    expect(await lookedUp()).toEqual(['sub_1']);
  });
});
