import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Observation } from '@paywright/contracts';
import { stripeCharge, stripeCheckout, stripePaymentIntent, stripeRefund } from '../testing/stripe-purchases.ts';
import { now, StripeScene } from '../testing/stripe-scene.ts';
import type { StripeSubject } from './stripe-webhook.ts';

let scene: StripeScene;
beforeEach(async () => {
  scene = await StripeScene.start();
});
afterEach(() => scene.stop());

describe('stripeStore.observe, one-time payments', () => {
  const payment: StripeSubject = { kind: 'payment', id: 'pi_9' };
  beforeEach(() => {
    const sold = { customer: null, paymentIntent: 'pi_9', productId: 'prod_9', priceId: 'price_9' };
    scene.stripe.checkouts.set('cs_9', stripeCheckout('cs_9', sold, { metadata: { profileId: 'P1' } }));
  });
  const paid = (status: 'succeeded' | 'processing' | 'requires_capture' | 'canceled') => {
    const amount = status === 'succeeded' || status === 'processing' ? 1500 : 0;
    const payment = { customer: null, amount, currency: 'jpy', at: now - 60_000 };
    const changes = { status, latest_charge: 'ch_9' };
    scene.stripe.paymentIntents.set('pi_9', stripePaymentIntent('pi_9', payment, changes));
  };

  it('tells of what was bought at checkout, by a guest', async () => {
    paid('succeeded');
    const charge = { customer: 'cus_1', paymentIntent: 'pi_9', amount: 1500, currency: 'jpy', at: now };
    scene.stripe.charges.set('ch_9', stripeCharge('ch_9', charge));
    expect(await scene.observe(payment)).toMatchObject({
      originalId: 'pi_9',
      account: 'P1',
      subscription: null,
      transactions: [
        {
          transactionId: 'pi_9',
          kind: 'one_time',
          productId: 'prod_9',
          basePlanId: 'price_9',
          purchasedAt: now,
          price: { amount: '1500', currency: 'JPY' },
        },
      ],
    });
    scene.stripe.refunds.set('re_9', stripeRefund('re_9', 'ch_9', { amount: 500, currency: 'jpy', at: now }));
    const refunded = await scene.observe({ kind: 'charge', id: 'ch_9', paymentIntent: 'pi_9' });
    expect(refunded?.refunds).toMatchObject([{ transactionId: 'pi_9', amount: { amount: '500', currency: 'JPY' } }]);
  });

  it('tells all that one checkout sold', async () => {
    paid('succeeded');
    const prices = ['9', '7', '8', '7'].map((name) => ({ price: { id: `price_${name}`, product: `prod_${name}` } }));
    const usual = scene.stripe.checkouts.get('cs_9')!;
    scene.stripe.checkouts.set('cs_9', { ...usual, line_items: { data: prices } });
    const [bought] = (await scene.observe(payment))!.transactions;
    expect(bought).toMatchObject({
      ...{ productId: 'prod_9', price: { amount: '1500' } },
      addOns: [{ productId: 'prod_7', basePlanId: 'price_7', expiresAt: null }, { productId: 'prod_8' }],
    });
    expect(bought?.addOns).toHaveLength(2);
  });

  it('tells also what was sold beyond the ten lines that Stripe shows', async () => {
    paid('succeeded');
    const prices = Array.from({ length: 105 }, (_, index) => ({
      price: { id: `price_${100 + index}`, product: `prod_${100 + index}` },
    }));
    scene.stripe.checkouts.set('cs_9', { ...scene.stripe.checkouts.get('cs_9')!, line_items: { data: prices } });
    const [bought] = (await scene.observe(payment))!.transactions;
    const products = [bought, ...(bought?.addOns ?? [])].map((one) => one?.productId);
    expect(products.sort()).toEqual(prices.map(({ price }) => price.product));
  });

  it('tells of a refund also where the checkout made an invoice of the payment', async () => {
    paid('succeeded');
    const payments = { paymentIntent: 'pi_in_9', customer: 'cus_1', amount: 1500, currency: 'jpy', at: now };
    scene.stripe.checkouts.set('cs_9', { ...scene.stripe.checkouts.get('cs_9')!, payment_intent: 'pi_in_9' });
    scene.stripe.paymentIntents.set('pi_in_9', { ...scene.stripe.paymentIntents.get('pi_9')!, id: 'pi_in_9' });
    scene.stripe.charges.set('ch_9', stripeCharge('ch_9', payments));
    scene.stripe.refunds.set('re_9', stripeRefund('re_9', 'ch_9', { amount: 500, currency: 'jpy', at: now }));
    scene.invoiced('in_9', { parent: null });
    const refunded = await scene.observe({ kind: 'charge', id: 'ch_9', paymentIntent: 'pi_in_9' });
    expect(refunded?.refunds).toMatchObject([{ transactionId: 'pi_in_9', amount: { amount: '500', currency: 'JPY' } }]);
  });

  it('tells of what was bought for nothing, by its checkout', async () => {
    const free = { kind: 'payment', id: 'cs_9' } as const;
    const usual = { ...scene.stripe.checkouts.get('cs_9')!, payment_intent: null, customer: 'cus_1' };
    const ordered = { status: 'complete', currency: 'eur', livemode: true, created: now / 1000 } as const;
    scene.stripe.checkouts.set('cs_9', { ...usual, ...ordered, payment_status: 'no_payment_required' });
    const seen = await scene.store().observe(free);
    expect(Observation.parse(seen?.observation)).toEqual(seen?.observation);
    expect(seen).toMatchObject({
      observation: {
        ...{ environment: 'production', originalId: 'cs_9', account: 'P1', subscription: null, refunds: [] },
        transactions: [
          {
            ...{ transactionId: 'cs_9', kind: 'one_time', productId: 'prod_9', basePlanId: 'price_9' },
            ...{ purchasedAt: now, price: { amount: '0', currency: 'EUR' } },
          },
        ],
      },
      buyer: { customerId: 'cus_1' },
    });
    scene.stripe.faults.push({ kind: 'forbidden', on: /checkout/ });
    expect(await scene.observe(free)).toBeUndefined();
    for (const status of ['paid', 'unpaid'] as const) {
      scene.stripe.checkouts.set('cs_9', { ...usual, ...ordered, payment_status: status });
      expect(await scene.observe(free)).toBeUndefined();
    }
  });

  it('waits for a payment that is authorized until it is captured or cancelled', async () => {
    const outcome = () => scene.faultOf(scene.store().observe(payment));
    paid('requires_capture');
    expect(await outcome()).toBe('pending');
    paid('canceled');
    expect(await scene.observe(payment)).toBeUndefined();
    paid('requires_capture');
    scene.stripe.checkouts.clear();
    expect(await scene.observe(payment)).toBeUndefined();
  });

  it('tells what was taken of a payment that is captured in steps, once no more is to come', async () => {
    const captured = (status: 'requires_capture' | 'canceled') => {
      const payment = { customer: null, amount: 600, currency: 'jpy', at: now };
      const changes = { status, latest_charge: 'ch_9' };
      scene.stripe.paymentIntents.set('pi_9', stripePaymentIntent('pi_9', payment, changes));
    };
    const charge = { customer: 'cus_1', paymentIntent: 'pi_9', amount: 1500, refunded: 900, currency: 'jpy', at: now };
    scene.stripe.charges.set('ch_9', stripeCharge('ch_9', charge, { amount_captured: 600 }));
    captured('requires_capture');
    expect(await scene.faultOf(scene.store().observe(payment))).toBe('pending');
    captured('canceled');
    scene.stripe.refunds.set('re_9', stripeRefund('re_9', 'ch_9', { amount: 900, currency: 'jpy', at: now }));
    expect(await scene.observe(payment)).toMatchObject({
      transactions: [{ transactionId: 'pi_9', price: { amount: '600', currency: 'JPY' } }],
      refunds: [],
    });
  });

  it('takes nothing for a refund of what was authorized and never taken', async () => {
    paid('succeeded');
    const charge = { customer: 'cus_1', paymentIntent: 'pi_9', amount: 2000, refunded: 500, currency: 'jpy', at: now };
    scene.stripe.charges.set('ch_9', stripeCharge('ch_9', charge, { amount_captured: 1500 }));
    const gaveBack = (id: string, amount: number, at: number) =>
      scene.stripe.refunds.set(id, stripeRefund(id, 'ch_9', { amount, currency: 'jpy', at }));
    gaveBack('re_1', 500, now);
    const seen = (await scene.store().observe(payment))!;
    expect([seen.observation.refunds, seen.onItsWayBack]).toEqual([[], []]);
    gaveBack('re_2', 500, now + 1000);
    gaveBack('re_3', 200, now + 2000);
    const later = (await scene.observe(payment))!.refunds.map(({ refundId }) => refundId);
    expect(later.sort()).toEqual(['re_2', 're_3']);
  });

  it('tells what went back by the lines of credit notes, where the checkout made an invoice of the payment', async () => {
    paid('succeeded');
    const intent = {
      paymentIntent: 'pi_in_9',
      customer: 'cus_1',
      amount: 1500,
      refunded: 500,
      currency: 'jpy',
      at: now,
    };
    scene.stripe.checkouts.set('cs_9', { ...scene.stripe.checkouts.get('cs_9')!, payment_intent: 'pi_in_9' });
    scene.stripe.paymentIntents.set('pi_in_9', { ...scene.stripe.paymentIntents.get('pi_9')!, id: 'pi_in_9' });
    scene.stripe.charges.set('ch_9', stripeCharge('ch_9', intent));
    scene.stripe.refunds.set('re_9', stripeRefund('re_9', 'ch_9', { amount: 500, currency: 'jpy', at: now }));
    const line = (id: string, product: string, amount: number) => ({
      ...{ id, amount, period: { start: now / 1000, end: now / 1000 } },
      pricing: { type: 'price_details' as const, price_details: { price: `price_${product}`, product } },
      parent: { type: 'invoice_item_details' as const, invoice_item_details: { proration: false, subscription: null } },
    });
    const lines = { data: [line('il_9', 'prod_9', 1000), line('il_7', 'prod_7', 500)] };
    scene.invoiced('in_9', { parent: null, lines, currency: 'jpy', post_payment_credit_notes_amount: 700 });
    scene.stripe.creditNotes.set('cn_9', {
      ...{ id: 'cn_9', object: 'credit_note', invoice: 'in_9', status: 'issued', reason: null, currency: 'jpy' },
      ...{ out_of_band_amount: 200, post_payment_amount: 700, created: now / 1000 },
      refunds: [{ refund: 're_9', amount_refunded: 500, type: 'refund' }],
      lines: { data: [{ id: 'cnli_7', type: 'invoice_line_item', invoice_line_item: 'il_7', amount: 500 }] },
    });
    // A credit note names its invoice alone.
    for (const id of ['pi_in_9', 'in_9'])
      expect((await scene.observe({ kind: 'payment', id }))?.refunds).toMatchObject([
        { refundId: 're_9', transactionId: 'pi_in_9', amount: { amount: '500' }, products: ['prod_7'] },
        { refundId: 'cn_9', transactionId: 'pi_in_9', amount: { amount: '200' }, products: ['prod_7'] },
      ]);
  });

  it('finds by its invoice what a checkout or a subscription sold, and nothing of what is neither', async () => {
    const byInvoice = { kind: 'payment', id: 'in_9' } as const;
    scene.invoiced('in_9', { parent: null });
    scene.stripe.paymentIntents.set(
      'pi_in_9',
      stripePaymentIntent('pi_in_9', { customer: null, amount: 999, currency: 'usd', at: now }),
    );
    expect(await scene.observe(byInvoice)).toBeUndefined();
    expect(scene.stripe.calls.filter(({ path }) => path === '/v1/invoices/in_9')).toHaveLength(1);
    scene.invoiced('in_9', { parent: null, payments: { data: [] } });
    expect(await scene.observe(byInvoice)).toBeUndefined();
    scene.subscribed();
    scene.invoiced('in_9');
    expect((await scene.observe(byInvoice))?.originalId).toBe('sub_1');
  });

  it('says nothing of a payment that is not through, or that no checkout names', async () => {
    paid('processing');
    expect(await scene.observe(payment)).toBeUndefined();
    paid('succeeded');
    scene.stripe.checkouts.clear();
    expect(await scene.observe(payment)).toBeUndefined();
  });
});
