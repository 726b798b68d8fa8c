import { afterEach, beforeEach, expect, it } from '@jest/globals';
import {
  stripeCharge,
  stripeCheckout,
  stripeInvoice,
  stripePayment,
  stripePaymentIntent,
  stripeRefund,
  stripeSubscription,
} from '@paywright/stores/testing';
import { askingDatabases, type AskingScene, askingScene, commandsAmong, noon } from '../testing/asking-scene.ts';
import { hour, looksUntil } from '../testing/looks-until.ts';

const day = 24 * hour;
const period = { productId: 'prod_1', priceId: 'price_1', startsAt: noon - day, endsAt: noon + 29 * day };
const usd = { amount: 999, currency: 'usd' };
const databases = await askingDatabases();
let scene: AskingScene;

beforeEach(async () => {
  scene = await askingScene(databases);
});
afterEach(() => scene.stop());

/** A subscription that is over, so that nothing else of it is waited for. */
function subscribed(paymentIntent: string) {
  const ended = { status: 'canceled', ended_at: noon / 1000 } as const;
  scene.stripe.subscriptions.set('sub_1', stripeSubscription('sub_1', 'cus_1', period, ended));
  scene.stripe.invoices.set(paymentIntent.slice(3), stripeInvoice(paymentIntent.slice(3), 'sub_1', period, usd));
}
function paidOnce(paymentIntent: string, livemode = true) {
  const payment = stripePaymentIntent(paymentIntent, { ...usd, customer: 'cus_1', at: noon });
  scene.stripe.paymentIntents.set(paymentIntent, { ...payment, livemode, latest_charge: 'ch_1' });
  scene.stripe.checkouts.set('cs_1', stripeCheckout('cs_1', { ...period, customer: 'cus_1', paymentIntent }));
}
function refund(status: 'succeeded' | 'pending' | 'failed', paymentIntent: string) {
  const refunded = status === 'succeeded' ? 999 : 0; // a refund that failed is no part of it any more
  const of = { ...usd, customer: 'cus_1', paymentIntent, refunded, at: noon };
  scene.stripe.charges.set('ch_1', stripeCharge('ch_1', of));
  scene.stripe.refunds.set('re_1', stripeRefund('re_1', 'ch_1', { ...usd, at: noon }, { status }));
}
const told = (paymentIntent: string) =>
  scene.notify({
    notification: { notificationId: 'n1', notificationType: 'charge.refunded', subtype: null },
    content: { store: 'stripe', subject: { kind: 'charge', id: 'ch_1', paymentIntent } },
  });

/** Of each look: how many hours after the beginning, what was given back, and what came to nothing. */
const refundsUntil = async (hours: number) =>
  (await looksUntil(scene, hours)).map(([at, { refunds, failedRefunds }]) => [at, refunds.length, failedRefunds]);

it.each<[string, string, (paymentIntent: string) => void]>([
  ['an invoice of a subscription that is over', 'pi_in_1', subscribed],
  ['a single payment', 'pi_1', paidOnce],
])('notices by itself that the refund of %s failed', async (_, paymentIntent, sold) => {
  sold(paymentIntent);
  refund('succeeded', paymentIntent);
  await told(paymentIntent);
  expect(await refundsUntil(5)).toEqual([1, 2, 4].map((at) => [at, 1, []]));
  refund('failed', paymentIntent);
  expect(await refundsUntil(24 * 28)).toEqual([[8, 0, ['re_1']]]);
});

it('notices that one arrived which was under way', async () => {
  paidOnce('pi_1');
  refund('pending', 'pi_1');
  await told('pi_1');
  expect(await refundsUntil(1)).toEqual([[1, 0, []]]);
  refund('succeeded', 'pi_1');
  expect(await refundsUntil(2)).toEqual([[2, 1, []]]);
});

it('does not ask for ever, nor begin anew', async () => {
  paidOnce('pi_1');
  refund('succeeded', 'pi_1');
  await told('pi_1');
  const looks = await refundsUntil(24 * 150);
  expect(looks.map(([at]) => at)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048]);
  await told('pi_1');
  expect(await refundsUntil(24 * 160)).toEqual([]);
});

it('does not ask for money that was none', async () => {
  paidOnce('pi_1', false);
  refund('succeeded', 'pi_1');
  await told('pi_1');
  expect(await refundsUntil(48)).toEqual([]);
});

it('notices that a dispute of a single payment was lost, and then won on appeal', async () => {
  paidOnce('pi_1');
  const charge = { ...usd, customer: 'cus_1', paymentIntent: 'pi_1', at: noon };
  scene.stripe.charges.set('ch_1', stripeCharge('ch_1', charge, { disputed: true }));
  const dispute = { id: 'dp_1', object: 'dispute', charge: 'ch_1', ...usd, created: noon / 1000 } as const;
  scene.stripe.disputes.set('dp_1', { ...dispute, status: 'under_review' });
  await told('pi_1');
  expect(await refundsUntil(1)).toEqual([[1, 0, []]]);
  scene.stripe.disputes.set('dp_1', { ...dispute, status: 'lost' });
  expect(await refundsUntil(4)).toEqual([2, 4].map((at) => [at, 1, []]));
  scene.stripe.disputes.set('dp_1', { ...dispute, status: 'won' });
  expect(await refundsUntil(48)).toEqual([[8, 0, ['dp_1']]]);
});

it('asks about each subscription of which the payment that was given back paid an invoice', async () => {
  for (const [index, amount] of [400, 599].entries()) {
    const [subscription, invoice] = [`sub_${index}`, `in_${index}`];
    const ended = { status: 'canceled', ended_at: noon / 1000 } as const;
    scene.stripe.subscriptions.set(subscription, stripeSubscription(subscription, 'cus_1', period, ended));
    const paid = stripePayment(invoice, { amount, at: noon });
    const payment = { ...paid, payment: { type: 'payment_intent', payment_intent: 'pi_1' } } as const;
    const changes = { amount_paid: amount, payments: { data: [payment] } };
    scene.stripe.invoices.set(invoice, stripeInvoice(invoice, subscription, period, usd, changes));
  }
  const toldOfBoth = async () => {
    const commands = [...commandsAmong(await told('pi_1'))];
    expect(await scene.reconciliation.lookUpDue()).toBe(1);
    commands.push(...commandsAmong(scene.published.splice(0)));
    return commands.map(({ body }) => body);
  };
  refund('succeeded', 'pi_1');
  expect(await toldOfBoth()).toMatchObject([
    { observation: { refunds: [{ refundId: 're_1:in_1', amount: { amount: '5.99' } }] } },
    { observation: { refunds: [{ refundId: 're_1:in_0', amount: { amount: '4' } }] } },
  ]);
  refund('failed', 'pi_1'); // then Stripe counts nothing of the charge as refunded
  expect(await toldOfBoth()).toMatchObject([
    { observation: { refunds: [], failedRefunds: ['re_1:in_1'] } },
    { observation: { refunds: [], failedRefunds: ['re_1:in_0'] } },
  ]);
});
