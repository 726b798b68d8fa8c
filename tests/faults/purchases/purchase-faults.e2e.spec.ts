import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { topics } from '@paywright/contracts';
import { uniform } from '@paywright/selection-engine';
import { playOrder, playSubscription } from '@paywright/stores/testing';
import { append, recordsOf } from '../../stack/raw-topics.ts';
import { postPatiently } from '../../stack/send-patiently.ts';
import { adminToken, Stack } from '../../stack/stack.ts';
import { FaultyAppStore } from './app-store.ts';
import { faultsOfBooks } from './books.ts';
import { type Bought, Buying, type Target } from './buying.ts';
import { createApp } from './create-app.ts';
import { SellingPlayStore } from './play-store.ts';
import { SellingStripe } from './stripe.ts';

const seed = process.env['FAULT_SEED'] ?? 'paywright';
const day = 86_400_000;
/** As many as visit each store. */
const customersAtATime = 6;
const patient = 240_000;
const service = 'purchase-validation';

let stack: Stack;
let store: FaultyAppStore;
let play: SellingPlayStore;
let stripe: SellingStripe;
let app: { appId: number; secretKey: string };

beforeAll(async () => {
  store = await FaultyAppStore.start();
  play = await SellingPlayStore.start();
  stripe = await SellingStripe.start();
  stack = await Stack.start('info', { ...store.environment, ...play.environment, ...stripe.environment });
  const elsewhere = { 'play-store': play.credentials, stripe: stripe.credentials };
  app = await createApp(stack, store.credentials, { elsewhere });
}, patient);
afterAll(async () => {
  await stack?.stop();
  await Promise.all([store?.stop(), play?.stop(), stripe?.stop()]);
}, patient);

const target = (): Target => ({ gateways: () => stack.gateways, ...app });

/** Customers buy while `nemesis` does its worst, and a moment longer. */
async function whileBuying(nemesis: () => Promise<unknown>): Promise<readonly Bought[]> {
  const buying = new Buying(target(), [store, play, stripe], customersAtATime);
  try {
    await sleep(300);
    await nemesis();
    await sleep(300);
  } finally {
    await buying.stop();
  }
  return buying.stop();
}

async function expectTrueBooks(bought: readonly Bought[]): Promise<void> {
  expect(await faultsOfBooks(stack, { appId: app.appId, adminToken, bought })).toEqual([]);
  expect(bought.length).toBeGreaterThanOrEqual(customersAtATime);
}

const moment = (purpose: string) => sleep(Math.round(1_000 * uniform(seed, purpose)));

describe('the books are true to the cent', () => {
  it('without a fault', async () => expectTrueBooks(await whileBuying(() => sleep(1_000))), patient);

  it.each([
    [service, 'after_answer'],
    [service, 'after_asking'],
    [service, 'after_append'],
    [service, 'after_publish'],
    ['profile', 'after_append'],
    ['projection', 'after_projection_commit'],
  ] as const)(
    'after a crash of %s %s',
    async (dying, failpoint) => {
      await stack.restartService(dying, { FAILPOINT: failpoint });
      const bought = await whileBuying(async () => {
        await stack.serviceDeath(dying);
        await stack.startService(dying);
      });
      await expectTrueBooks(bought);
    },
    patient,
  );

  it(
    'when the service is killed at random moments',
    async () => {
      const bought = await whileBuying(async () => {
        for (const strike of [1, 2]) {
          await moment(`${service}/${strike}`);
          await stack.killService(service);
          await stack.startService(service);
        }
      });
      await expectTrueBooks(bought);
    },
    patient,
  );

  it.each(['Postgres', 'Kafka'] as const)(
    'when %s crashes during a burst',
    async (server) => {
      const bought = await whileBuying(async () => {
        await moment(server);
        await (server === 'Postgres' ? stack.killPostgres() : stack.killKafka());
        await (server === 'Postgres' ? stack.startPostgres() : stack.startKafka());
      });
      await expectTrueBooks(bought);
    },
    patient,
  );

  it(
    'when requests, commands and events are delivered again',
    async () => {
      const bought = await whileBuying(() => sleep(1_000));
      for (const topic of [topics.purchaseRequests, topics.purchaseCommands, topics.purchaseEvents])
        await append(stack, topic, (await recordsOf(stack, topic)).slice(-300));
      await expectTrueBooks(bought);
    },
    patient,
  );
});

describe('a store that hangs', () => {
  const post = async (path: string, body: object, secretKey: string) => {
    const headers = { authorization: secretKey, 'content-type': 'application/json' };
    const begun = performance.now();
    const answer = await fetch(`${stack.gateways[0]}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    const { code } = (await answer.json()) as { code?: string };
    const retryAfter = answer.headers.get('retry-after');
    return { status: answer.status, code, retryAfter, ms: performance.now() - begun };
  };
  const validate = (profileId: string, of = app) => {
    // The notification that comes with it is a field unknown to the route, and ignored.
    return post('/api/v1/web-api/purchases/apple-store/validate', { ...store.sell(), profileId }, of.secretKey);
  };
  const validateOnPlay = (profileId: string) => {
    const now = Date.now();
    const orderId = `GPA.${now}`;
    const period = { productId: 'pro.monthly', orderId, startsAt: now - day, endsAt: now + 29 * day };
    const purchaseToken = `token-${orderId}`;
    play.api.subscriptions.set(purchaseToken, playSubscription(period));
    play.api.orders.set(orderId, playOrder(period, 'USD 9.99'));
    const claim = { purchaseToken, productId: 'pro.monthly', isSubscription: true, profileId };
    return post('/api/v1/web-api/purchases/play-store/validate', claim, app.secretKey);
  };
  const fetchPaywall = (profileId: string) =>
    post('/api/v1/web-api/paywalls', { profileId, placementId: 'onboarding' }, app.secretKey);
  const createProfile = async ({ secretKey }: typeof app): Promise<string> => {
    const profile = { country: 'US', device: 'iPhone17,1', os: 'iOS 26.0', platform: 'ios', locale: 'en-US' };
    const path = '/api/v1/web-api/profiles';
    const created = await postPatiently(() => stack.gateways, path, JSON.stringify(profile), {
      authorization: secretKey,
    });
    return (JSON.parse(created) as { data: { profileId: string } }).data.profileId;
  };
  const ok = { status: 200 };

  it(
    'costs no other store, app or request anything while it hangs',
    async () => {
      const other = await createApp(stack, store.credentials);
      const [mine, theirs] = [await createProfile(app), await createProfile(other)];
      // Once beforehand: what is loaded with the first question would take of their patience.
      while ((await validateOnPlay(mine)).status !== 200) await sleep(100);
      while ((await validate(theirs, other)).status !== 200) await sleep(100);

      store.hang(5);
      let released = 0;
      const hung = Array.from({ length: 5 }, async () => {
        const { status } = await validate(mine);
        released++;
        return status;
      });
      while (store.toHang > 0) await sleep(10);
      const paywalls = Array.from({ length: 10 }, () => fetchPaywall(mine));
      const others = await Promise.all([...paywalls, validateOnPlay(mine), validate(theirs, other)]);
      expect(released).toBe(0);
      expect(others).toMatchObject(others.map(() => ok));
      expect(await Promise.all(hung)).toEqual([503, 503, 503, 503, 503]);
      await sleep(5_500); // until the store is no longer left alone
    },
    patient,
  );

  it(
    'costs its own requests a 503, is left alone, and is asked again once it answers',
    async () => {
      const [{ profileId }] = (await whileBuying(() => sleep(100))) as [Bought];
      store.hang(5);
      const hung = await Promise.all(Array.from({ length: 5 }, () => validate(profileId)));
      expect(hung).toMatchObject(hung.map(() => ({ status: 503, code: 'STORE_UNAVAILABLE' })));
      expect(hung.every(({ retryAfter }) => Number(retryAfter) > 0)).toBe(true);

      const asked = store.questions;
      expect(await validate(profileId)).toMatchObject({ status: 503, code: 'STORE_UNAVAILABLE' });
      expect(store.questions).toBe(asked);

      // Everything else goes on: paywalls, and the books of what the store itself tells.
      expect(await fetchPaywall(profileId)).toMatchObject(ok);
      await sleep(5_500);
      expect(await validate(profileId)).toMatchObject(ok);
    },
    patient,
  );
});
