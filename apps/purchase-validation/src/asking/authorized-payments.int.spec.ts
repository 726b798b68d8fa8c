import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { stripeCharge, stripeCheckout, stripePaymentIntent } from '@paywright/stores/testing';
import { askingDatabases, type AskingScene, askingScene, commandsAmong, noon } from '../testing/asking-scene.ts';
import { looksUntil } from '../testing/looks-until.ts';

const databases = await askingDatabases();
let scene: AskingScene;

beforeEach(async () => {
  scene = await askingScene(databases);
  const sold = { customer: 'cus_1', paymentIntent: 'pi_1', productId: 'prod_1', priceId: 'price_1' };
  scene.stripe.checkouts.set('cs_1', stripeCheckout('cs_1', sold));
});
afterEach(() => scene.stop());

/** What was authorized, and how it stands. */
function payment(status: 'requires_capture' | 'succeeded' | 'canceled', taken: number) {
  const paid = { customer: 'cus_1', amount: taken, currency: 'usd', at: noon };
  scene.stripe.paymentIntents.set('pi_1', stripePaymentIntent('pi_1', paid, { status, latest_charge: 'ch_1' }));
  const charge = { ...paid, paymentIntent: 'pi_1', amount: 999 };
  scene.stripe.charges.set('ch_1', stripeCharge('ch_1', charge, { amount_captured: taken }));
}
const checkedOut = () =>
  scene.notify({
    notification: { notificationId: 'n1', notificationType: 'checkout.session.completed', subtype: null },
    content: { store: 'stripe', subject: { kind: 'payment', id: 'pi_1' } },
  });

it('asks for what a checkout authorized until it is captured, though no webhook tells', async () => {
  payment('requires_capture', 0);
  expect(commandsAmong(await checkedOut()).map(({ type }) => type)).toEqual(['RecordNotification']);
  expect(await looksUntil(scene, 24 * 5)).toEqual([]);
  payment('succeeded', 600);
  const [[at, told] = [], ...more] = await looksUntil(scene, 24 * 6);
  expect(told).toMatchObject({ transactions: [{ transactionId: 'pi_1', price: { amount: '6', currency: 'USD' } }] });
  expect(at).toBeLessThanOrEqual(24 * 5 + 6);
  expect(more).toEqual([]);
});

it('asks no more for what was cancelled', async () => {
  payment('requires_capture', 0);
  await checkedOut();
  payment('canceled', 0);
  expect(await looksUntil(scene, 12)).toEqual([]);
  expect(await scene.nextDue()).toBeNull();
});
