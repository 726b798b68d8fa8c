import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  stripeBalanceTransaction,
  stripeCharge,
  stripeCheckout,
  stripePaymentIntent,
  stripeRefund,
} from '../testing/stripe-purchases.ts';
import { now, StripeScene, usd } from '../testing/stripe-scene.ts';

let scene: StripeScene;
beforeEach(async () => {
  scene = await StripeScene.start();
});
afterEach(() => scene.stop());

const taken = (fee: number, currency = 'usd', amount = usd.amount) => ({
  balance_transaction: stripeBalanceTransaction('txn_1', { amount, fee, currency, at: now }),
});
const share = async () => (await scene.observe())?.transactions[0]?.storeShare;

describe('stripeStore.observe, what Stripe keeps', () => {
  beforeEach(() => {
    scene.subscribed();
    scene.invoiced('in_1');
  });

  it('is the fee of the invoice’s charge, in the currency that it is settled in', async () => {
    scene.charged('ch_0', 'other', 0, taken(900));
    scene.charged('ch_1', 'in_1', 0, taken(59));
    expect(await share()).toEqual({ amount: '0.59', currency: 'USD' });
    scene.charged('ch_1', 'in_1', 999, taken(88, 'jpy'));
    expect(await share()).toEqual({ amount: '88', currency: 'JPY' });
  });

  it('is not known until Stripe took it', async () => {
    expect(await share()).toBeUndefined();
    scene.charged('ch_1', 'in_1');
    expect(await share()).toBeUndefined();
  });

  it('is of all charges that made the payment, and of none that failed', async () => {
    scene.charged('ch_0', 'in_1', 0, { status: 'failed', amount_captured: 0 });
    scene.charged('ch_1', 'in_1', 0, { ...taken(30), amount_captured: 500 });
    scene.charged('ch_2', 'in_1', 0, { ...taken(29), amount_captured: 499 });
    expect(await share()).toEqual({ amount: '0.59', currency: 'USD' });
    scene.charged('ch_2', 'in_1', 0, { amount_captured: 499 });
    expect(await share()).toBeUndefined();
    scene.charged('ch_2', 'in_1', 0, { ...taken(29, 'eur'), amount_captured: 499 });
    expect(await share()).toBeUndefined();
  });

  it('is not known of a payment that was made elsewhere in part', async () => {
    scene.charged('ch_1', 'in_1', 0, { ...taken(30), amount_captured: 500 });
    expect(await share()).toBeUndefined();
  });

  it('is told of refunds too: what Stripe takes for it, or gives back', async () => {
    const refund = (fee: number | null) =>
      stripeRefund('re_1', 'ch_1', { ...usd, at: now }, fee === null ? {} : taken(fee));
    const refundShare = async (fee: number | null) => {
      scene.stripe.refunds.set('re_1', refund(fee));
      return (await scene.observe())?.refunds[0]?.storeShare;
    };
    scene.charged('ch_1', 'in_1', 999, taken(59));
    expect(await refundShare(-59)).toEqual({ amount: '-0.59', currency: 'USD' });
    expect(await refundShare(0)).toEqual({ amount: '0', currency: 'USD' });
    expect(await refundShare(null)).toBeUndefined();
  });

  it('is not known to a key that may not read it, which knows all else', async () => {
    scene.charged('ch_1', 'in_1', 999, taken(59));
    scene.stripe.refunds.set('re_1', stripeRefund('re_1', 'ch_1', { ...usd, at: now }, taken(0)));
    scene.stripe.faults.push({ kind: 'forbidden', on: /charges/ }, { kind: 'forbidden', on: /refunds/ });
    const seen = await scene.observe();
    expect(seen).toMatchObject({
      transactions: [{ price: { amount: '9.99' } }],
      refunds: [{ amount: { amount: '9.99' } }],
    });
    expect([seen?.transactions[0]?.storeShare, seen?.refunds[0]?.storeShare]).toEqual([undefined, undefined]);
  });
});

describe('stripeStore.observe, what Stripe keeps of a single payment', () => {
  it('is the fee of its charge', async () => {
    const sold = { customer: null, paymentIntent: 'pi_9', productId: 'prod_9', priceId: 'price_9' };
    scene.stripe.checkouts.set('cs_9', stripeCheckout('cs_9', sold));
    const paid = { ...usd, customer: null, at: now };
    scene.stripe.paymentIntents.set('pi_9', stripePaymentIntent('pi_9', paid, { latest_charge: 'ch_9' }));
    const of = { ...usd, customer: 'cus_1', paymentIntent: 'pi_9', at: now };
    scene.stripe.charges.set('ch_9', stripeCharge('ch_9', of, taken(59)));
    const payment = { kind: 'payment', id: 'pi_9' } as const;
    const read = async () => (await scene.observe(payment))?.transactions;
    expect(await read()).toMatchObject([{ transactionId: 'pi_9', storeShare: { amount: '0.59', currency: 'USD' } }]);
    // Of one that is captured in steps the charge tells what was taken of the last of them.
    scene.stripe.charges.set('ch_9', stripeCharge('ch_9', of, taken(20, 'usd', 300)));
    expect((await read())?.map(({ storeShare }) => storeShare)).toEqual([undefined]);
    scene.stripe.charges.set('ch_9', stripeCharge('ch_9', of, taken(20, 'eur', 300)));
    expect(await read()).toMatchObject([{ storeShare: { amount: '0.2', currency: 'EUR' } }]);
    scene.stripe.charges.set('ch_9', stripeCharge('ch_9', of, taken(59)));
    scene.stripe.faults.push({ kind: 'forbidden', on: /payment_intents/ });
    expect((await read())?.map(({ storeShare }) => storeShare)).toEqual([undefined]);
  });
});
