import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { profileIdOf } from '@paywright/platform';
import { stripeCheckout, stripeInvoice, stripePaymentIntent, stripeSubscription } from '@paywright/stores/testing';
import {
  appId,
  askingDatabases,
  type AskingScene,
  askingScene,
  commandsAmong,
  noon,
  profileIdKey,
} from '../testing/asking-scene.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const profileId = profileIdOf(profileIdKey, appId, 'u1');
const databases = await askingDatabases();
let scene: AskingScene;

beforeEach(async () => {
  scene = await askingScene(databases);
});
afterEach(() => scene.stop());

/** A year, so that nothing else of it is due for long. */
function subscribed(metadata: Record<string, string>) {
  const period = { productId: 'prod_1', priceId: 'price_1', startsAt: noon - minute, endsAt: noon + 365 * day };
  scene.stripe.subscriptions.set('sub_1', stripeSubscription('sub_1', 'cus_1', period, { metadata }));
  scene.stripe.invoices.set('in_1', stripeInvoice('in_1', 'sub_1', period, { amount: 999, currency: 'usd' }));
}
function paidOnce(metadata: Record<string, string>) {
  const paid = { customer: 'cus_1', amount: 999, currency: 'usd', at: noon };
  scene.stripe.paymentIntents.set('pi_1', stripePaymentIntent('pi_1', paid, { metadata }));
  const sold = { customer: 'cus_1', paymentIntent: 'pi_1', productId: 'prod_1', priceId: 'price_1' };
  scene.stripe.checkouts.set('cs_1', stripeCheckout('cs_1', sold, { metadata }));
}
const told = (kind: 'subscription' | 'payment', id: string) =>
  scene.notify({
    notification: { notificationId: 'n1', notificationType: 'invoice.paid', subtype: null },
    content: { store: 'stripe', subject: { kind, id } },
  });

/** Lets minutes pass. @returns of each time at which Stripe was asked: after how many, and whom it named */
async function looksWithin(minutes: number) {
  const looks: (readonly [number, string | null])[] = [];
  for (const end = scene.clock.now() + minutes * minute; scene.clock.now() < end;) {
    scene.clock.advance(minute);
    await scene.awaitedBuyers.lookForNext();
    await scene.reconciliation.lookUpDue();
    for (const command of commandsAmong(scene.published.splice(0)))
      if (command.type === 'ObservePurchase')
        looks.push([Math.round((scene.clock.now() - noon) / minute), command.body.accountProfileId]);
  }
  return looks;
}

it.each([
  ['a subscription', 'subscription', 'sub_1', subscribed],
  ['a payment', 'payment', 'pi_1', paidOnce],
] as const)('finds who bought %s on the web before there was a profile', async (_, kind, id, sold) => {
  sold({ customerUserId: 'u1' });
  await told(kind, id);
  expect(await looksWithin(5)).toEqual([]);
  await scene.hasProfile(profileId);
  expect(await looksWithin(120)).toEqual([[6, profileId]]);
});

it('finds whom the app named by the id of a profile that was yet to be shown', async () => {
  subscribed({ profileId: profileId.toUpperCase() });
  await told('subscription', 'sub_1');
  expect(await looksWithin(5)).toEqual([]);
  await scene.hasProfile(profileId);
  expect(await looksWithin(120)).toEqual([
    [6, profileId],
    [7, profileId], // as what else the customer bought is
  ]);
});

it('finds who comes days later as soon as who comes at once', async () => {
  subscribed({ customerUserId: 'u1' });
  await told('subscription', 'sub_1');
  expect(await looksWithin(72 * 60)).toEqual([]);
  await scene.hasProfile(profileId);
  expect(await looksWithin(60)).toEqual([[72 * 60 + 1, profileId]]);
});

it('asks again no sooner than any other chain where the store does not answer then', async () => {
  subscribed({ customerUserId: 'u1' });
  await told('subscription', 'sub_1');
  await scene.hasProfile(profileId);
  scene.stripe.faults.push(...Array.from({ length: 200 }, () => ({ kind: 'forbidden' as const })));
  expect(await looksWithin(60)).toEqual([]);
  const { rows } = await scene.tables.pool.query<{ attempts: number }>(
    'select attempts from look_up where awaits is not null',
  );
  expect(rows[0]!.attempts).toBeGreaterThan(4);
  expect(rows[0]!.attempts).toBeLessThan(10);
});

it('waits for many, each in its turn', async () => {
  for (let index = 0; index < 1_500; index += 1)
    await scene.tables.pool.query(
      `insert into look_up (app_id, chain_id, store, sealed, look_at, awaits)
       values ($1, gen_random_uuid(), 'stripe', '', 'infinity', $2)`,
      [appId, profileIdOf(profileIdKey, appId, `customer ${index}`)],
    );
  subscribed({ customerUserId: 'u1' });
  await told('subscription', 'sub_1');
  await scene.hasProfile(profileId);
  expect(await looksWithin(3)).toMatchObject([[expect.any(Number), profileId]]);
});

it('takes over what a release kept that looked by itself', async () => {
  subscribed({ customerUserId: 'u1' });
  await told('subscription', 'sub_1');
  await scene.tables.pool.query('update look_up set awaits = null, look_at = $1 where awaits is not null', [
    new Date(noon + 10 * minute),
  ]);
  expect(await looksWithin(20)).toEqual([]);
  await scene.hasProfile(profileId);
  expect(await looksWithin(20)).toEqual([[21, profileId]]);
});

it('does not wait for ever, nor begin anew', async () => {
  subscribed({ customerUserId: 'u1' });
  await told('subscription', 'sub_1');
  let looks = 0;
  for (let waited = 0; waited < 200; waited += 1) {
    scene.clock.advance(day);
    looks += await scene.reconciliation.lookUpDue();
  }
  expect(looks).toBe(1);
  await told('subscription', 'sub_1');
  await scene.hasProfile(profileId);
  expect(await looksWithin(60)).toEqual([]);
});

it('looks no longer for whom nothing is told of any more', async () => {
  paidOnce({ customerUserId: 'u1' });
  await told('payment', 'pi_1');
  expect(await scene.lookUps.awaited('00000000-0000-0000-0000-000000000000', 10)).toEqual([{ profileId, appId }]);
  scene.stripe.checkouts.delete('cs_1');
  await scene.hasProfile(profileId);
  expect(await looksWithin(5)).toEqual([]);
  expect(await scene.lookUps.awaited('00000000-0000-0000-0000-000000000000', 10)).toEqual([]);
});

it('asks for nothing of whom nobody is named', async () => {
  subscribed({});
  await told('subscription', 'sub_1');
  expect(await looksWithin(5 * 60)).toEqual([]);
});

it('waits for nobody who is there', async () => {
  await scene.hasProfile(profileId);
  subscribed({ customerUserId: 'u1' });
  await told('subscription', 'sub_1');
  expect(await looksWithin(60)).toEqual([]);
});

describe('a payment of whom nobody is named', () => {
  const unnamed = async () => {
    paidOnce({});
    await told('payment', 'pi_1');
  };
  const named = async () => {
    subscribed({ customerUserId: 'u1' });
    await told('subscription', 'sub_1');
  };

  it('is theirs whom another purchase of the same customer names, once they are there', async () => {
    await unnamed();
    await named();
    expect(await looksWithin(5)).toEqual([]);
    await scene.hasProfile(profileId);
    expect(await looksWithin(60)).toEqual([
      [6, profileId],
      [7, profileId],
    ]);
  });

  it('is theirs within a minute where they were there before', async () => {
    await scene.hasProfile(profileId);
    await unnamed();
    expect(await looksWithin(72 * 60)).toEqual([]);
    await named();
    expect(await looksWithin(60)).toEqual([[72 * 60 + 1, profileId]]);
  });

  it('does not lengthen the way to those who are named: no profile is looked for', async () => {
    await unnamed();
    expect(await scene.lookUps.awaited('00000000-0000-0000-0000-000000000000', 10)).toEqual([]);
    await named();
    expect(await scene.lookUps.awaited('00000000-0000-0000-0000-000000000000', 10)).toEqual([{ profileId, appId }]);
  });

  it('is nobody’s where no purchase of the customer names somebody for two months', async () => {
    await unnamed();
    scene.clock.advance(61 * day);
    expect(await looksWithin(5)).toEqual([]);
    await scene.hasProfile(profileId);
    await named();
    expect(await looksWithin(60)).toEqual([]);
  });
});
