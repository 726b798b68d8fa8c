import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { profileIdOf } from '@paywright/platform';
import { stripeInvoice, stripeSubscription } from '@paywright/stores/testing';
import { appId, type AskingScene, askingScene, commandsAmong, noon, profileIdKey } from '../testing/asking-scene.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const profileId = profileIdOf(profileIdKey, appId, 'u1');
let scene: AskingScene;

beforeEach(async () => {
  scene = await askingScene();
});
afterEach(() => scene.stop());

/** A year, so that nothing else of it is due for long. */
function subscribed(metadata: Record<string, string>) {
  const period = { productId: 'prod_1', priceId: 'price_1', startsAt: noon - minute, endsAt: noon + 365 * day };
  scene.stripe.subscriptions.set('sub_1', stripeSubscription('sub_1', 'cus_1', period, { metadata }));
  scene.stripe.invoices.set('in_1', stripeInvoice('in_1', 'sub_1', period, { amount: 999, currency: 'usd' }));
}
function paidOnce(metadata: Record<string, string>) {
  scene.stripe.paymentIntents.set('pi_1', {
    ...{ id: 'pi_1', object: 'payment_intent', status: 'succeeded', amount_received: 999, currency: 'usd' },
    ...{ livemode: true, created: noon / 1000, metadata, customer: 'cus_1', latest_charge: 'ch_1' },
  });
  scene.stripe.checkouts.set('cs_1', {
    ...{ id: 'cs_1', object: 'checkout.session', mode: 'payment', metadata, customer: 'cus_1', subscription: null },
    ...{ payment_intent: 'pi_1', line_items: { data: [{ price: { id: 'price_1', product: 'prod_1' } }] } },
  });
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

it('finds who comes days later within a tenth of that time', async () => {
  subscribed({ customerUserId: 'u1' });
  await told('subscription', 'sub_1');
  expect(await looksWithin(72 * 60)).toEqual([]);
  await scene.hasProfile(profileId);
  expect(await looksWithin(8 * 60)).toMatchObject([[expect.any(Number), profileId]]);
});

it('does not wait for ever, nor begin anew', async () => {
  subscribed({ customerUserId: 'u1' });
  await told('subscription', 'sub_1');
  let looks = 0;
  for (let waited = 0; waited < 200; waited += 1) {
    scene.clock.advance(day);
    looks += await scene.reconciliation.lookUpDue();
  }
  expect(looks).toBe(61);
  await told('subscription', 'sub_1');
  await scene.hasProfile(profileId);
  expect(await looksWithin(60)).toEqual([]);
});

it('waits for nobody where the app names none, or whoever is there', async () => {
  subscribed({});
  await told('subscription', 'sub_1');
  expect(await looksWithin(60)).toEqual([]);
  await scene.hasProfile(profileId);
  subscribed({ customerUserId: 'u1' });
  await told('subscription', 'sub_1');
  expect(await looksWithin(60)).toEqual([]);
});
