import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { inTime, simulatedWorld, type SimulatedWorld } from '../testing/simulated-world.ts';

let world: SimulatedWorld;
beforeAll(async () => {
  world = await simulatedWorld();
});
afterAll(() => world.end());

const monthly = { priceId: 'price_monthly', productId: 'prod_pro', amount: 999, currency: 'usd' };

const Payment = z.object({ charge: z.string(), payment_intent: z.string() });
const Told = z.object({ type: z.string(), data: z.object({ object: z.unknown() }) });

const subscribe = async (fields: object = {}) => {
  const { subscriptionId = '', customerId = '' } = await world.post('/stripe/subscriptions', { ...monthly, ...fields });
  return { subscriptionId, customerId };
};
const observe = async (id: string) => (await world.stripe.observe({ kind: 'subscription', id }, inTime()))!;
const standing = async (id: string) => (await observe(id)).observation.subscription!;
const act = (id: string, action: string, body: object = {}) => world.post(`/stripe/purchases/${id}/${action}`, body);

describe('the simulated Stripe', () => {
  it('keeps its events for 30 days, whether they arrived or not', async () => {
    await world.post('/faults', { store: 'stripe', kind: 'notification-drop', count: 2 });
    const { subscriptionId: id } = await subscribe();
    const eventsSince = async (ago: number) => {
      const to = world.clock.now();
      const { notifications } = await world.stripe.eventHistory({ from: to - ago, to, after: null }, inTime());
      return notifications.filter(({ subject }) => subject?.id === id).map(({ type }) => type);
    };
    expect(world.heardOf(id)).toEqual([]);
    expect((await eventsSince(60_000)).sort()).toEqual(['customer.subscription.created', 'invoice.paid']);
    await act(id, 'cancel', { now: true });
    await world.advance('P31D');
    expect(await eventsSince(60 * 86_400_000)).toEqual([]);
  });

  it('sells what the real library reads, to the customer that the metadata name', async () => {
    const metadata = { profileId: 'b1e0e7a4-9b1f-4a34-8f0b-0d3f1c6c2c11', customerUserId: 'u1', paywallId: '12' };
    const { subscriptionId: id, customerId } = await subscribe({ metadata });
    const { observation, buyer } = await observe(id);
    expect(buyer).toEqual({ customerId, customerUserId: 'u1', paywallId: 12 });
    expect(observation).toMatchObject({ environment: 'production', originalId: id, account: metadata.profileId });
    expect(observation.subscription).toMatchObject({
      status: 'active',
      productId: 'prod_pro',
      basePlanId: 'price_monthly',
    });
    const storeShare = { amount: '0.59', currency: 'USD' }; // 2.9 % of 9.99, and 0.30
    expect(observation.transactions).toMatchObject([
      { price: { amount: '9.99', currency: 'USD' }, phase: 'regular', storeShare },
    ]);
    expect(world.heardOf(id)).toEqual(['customer.subscription.created', 'invoice.paid']);
    expect(await world.stripe.checkCredentials(inTime())).toMatchObject({ ok: true });
  });

  it('lives as D25 has it: trial, paid, past due, cancelled', async () => {
    const { subscriptionId: id } = await subscribe({ trialDays: 7, test: true });
    const trial = await observe(id);
    const renewalPrice = { amount: '9.99', currency: 'USD' };
    expect(trial.observation).toMatchObject({
      environment: 'sandbox',
      subscription: { status: 'trial', renewalPrice },
    });
    expect(trial.observation.transactions).toMatchObject([{ phase: 'trial', price: { amount: '0' } }]);
    await world.advance('P8D');
    expect(await standing(id)).toMatchObject({ status: 'active', willRenew: true });
    await act(id, 'fail-billing');
    await world.advance('P31D');
    expect(await standing(id)).toMatchObject({
      status: 'grace',
      isOpenEnded: true,
      billingIssueAt: expect.any(Number),
    });
    await world.advance('P22D');
    expect(await standing(id)).toMatchObject({ status: 'expired', cancellationReason: 'billing_error' });
    expect(world.heardOf(id).slice(2)).toEqual([
      ...['customer.subscription.updated', 'invoice.paid'],
      ...['invoice.payment_failed', 'customer.subscription.updated', 'customer.subscription.deleted'],
    ]);
  });

  it('is paid late, and has one invoice for the period that was owed', async () => {
    const { subscriptionId: id } = await subscribe();
    const { expiresAt } = await standing(id);
    await act(id, 'fail-billing');
    await world.advance('P33D');
    await act(id, 'recover-billing');
    const { observation } = await observe(id);
    expect(observation.subscription).toMatchObject({ status: 'active', startsAt: expiresAt, billingIssueAt: null });
    expect(observation.transactions).toHaveLength(2);
  });

  it('is paid in part, and then whole or not at all', async () => {
    const { subscriptionId: id } = await subscribe();
    const { subscriptionId: given } = await subscribe();
    for (const each of [id, given]) await act(each, 'fail-billing');
    await world.advance('P33D');
    for (const each of [id, given]) await act(each, 'pay-part', { percent: 40 });
    expect(world.heardOf(id).at(-1)).toBe('invoice.updated');
    const newest = async (of: string) => (await observe(of)).observation.transactions[0];
    const part = { price: { amount: '4' }, payments: [{ amount: '4' }] };
    expect(await newest(id)).toMatchObject(part);
    expect((await standing(id)).status).toBe('grace');
    await world.advance('P1D');
    await act(id, 'recover-billing');
    expect(await newest(id)).toMatchObject({
      price: { amount: '9.99' },
      payments: [{ amount: '4' }, { amount: '5.99' }],
    });
    await act(id, 'refund');
    expect((await observe(id)).observation.refunds).toMatchObject([{ amount: { amount: '5.99' } }]);
    await world.advance('P22D');
    expect((await standing(given)).status).toBe('expired');
    expect(await newest(given)).toMatchObject(part);
  });

  it('cancels at the period’s end or at once, and pauses', async () => {
    const { subscriptionId: id } = await subscribe();
    await act(id, 'cancel');
    expect(await standing(id)).toMatchObject({
      status: 'active',
      willRenew: false,
      cancellationReason: 'voluntarily_cancelled',
    });
    await act(id, 'uncancel');
    await act(id, 'pause');
    expect((await standing(id)).status).toBe('paused');
    await act(id, 'resume');
    expect((await standing(id)).status).toBe('active');
    await act(id, 'cancel', { now: true });
    expect(await standing(id)).toMatchObject({ status: 'expired', cancellationReason: 'voluntarily_cancelled' });
    expect(world.heardOf(id).at(-1)).toBe('customer.subscription.deleted');
  });

  it('gives money back in part and whole, and knows refunds that fail', async () => {
    const { subscriptionId: id } = await subscribe({ currency: 'JPY', amount: 1500 });
    await act(id, 'refund', { percent: 20 });
    expect((await observe(id)).observation.refunds).toMatchObject([{ amount: { amount: '300', currency: 'JPY' } }]);
    await act(id, 'refund');
    const { observation } = await observe(id);
    expect(observation.refunds.map(({ amount }) => amount?.amount)).toEqual(['1200', '300']);
    expect(observation.refunds[0]?.storeShare).toEqual({ amount: '0', currency: 'JPY' });
    expect(observation.transactions[0]?.storeShare).toEqual({ amount: '74', currency: 'JPY' }); // 43.5 and 30
    expect(observation.subscription?.status).toBe('active');
    await act(id, 'reverse-refund');
    const told = Told.parse(JSON.parse(String(world.gateway.received.at(-1)?.body)));
    const { charge, payment_intent: paymentIntent } = Payment.parse(told.data.object);
    const failed = await world.stripe.observe({ kind: 'charge', id: charge, paymentIntent }, inTime());
    expect(failed?.observation).toMatchObject({ refunds: [] });
    expect(failed?.observation.failedRefunds).toHaveLength(2);
  });

  it('asks money back for the customer’s bank, which is lost or won in the end', async () => {
    const { subscriptionId: id } = await subscribe();
    const refunds = async () => (await observe(id)).observation.refunds;
    await act(id, 'dispute');
    expect(await refunds()).toEqual([]);
    await act(id, 'win-dispute');
    expect(await refunds()).toEqual([]);
    await world.advance('P31D');
    await act(id, 'dispute');
    await act(id, 'lose-dispute');
    expect(await refunds()).toMatchObject([{ amount: { amount: '9.99', currency: 'USD' }, reason: 'disputed' }]);
    expect((await standing(id)).status).toBe('active');
    const told = world.gateway.received.map(({ body }) => Told.parse(JSON.parse(String(body))));
    const disputes = told.filter(({ type }) => type.startsWith('charge.dispute.'));
    expect(disputes.map(({ type }) => type)).toEqual(
      ['created', 'closed', 'created', 'closed'].map((word) => `charge.dispute.${word}`),
    );
    const { charge, payment_intent: paymentIntent } = Payment.parse(disputes.at(-1)?.data.object);
    const asked = await world.stripe.observe({ kind: 'charge', id: charge, paymentIntent }, inTime());
    expect(asked?.observation.refunds).toHaveLength(1);
  });

  it('changes plans: at once upwards, at the renewal downwards and to a higher price', async () => {
    const { subscriptionId: id } = await subscribe();
    await act(id, 'upgrade', { priceId: 'price_yearly', amount: 5999, period: 'P1Y' });
    expect(await standing(id)).toMatchObject({ basePlanId: 'price_yearly' });
    const { subscriptionId: dear } = await subscribe();
    await act(dear, 'price-increase', { amount: 1199 });
    expect((await standing(dear)).renewalPrice).toEqual({ amount: '11.99', currency: 'USD' });
    const { subscriptionId: other } = await subscribe();
    await act(other, 'downgrade', { productId: 'prod_lite', priceId: 'price_lite', amount: 499 });
    const renewalPrice = { amount: '4.99', currency: 'USD' };
    expect(await standing(other)).toMatchObject({ productId: 'prod_pro', renewsAs: 'prod_lite', renewalPrice });
    await world.advance('P31D');
    const amounts = (await observe(dear)).observation.transactions.map(({ price }) => price?.amount);
    expect(amounts).toEqual(['11.99', '9.99']);
    expect(await standing(other)).toMatchObject({ productId: 'prod_lite', renewsAs: null, renewalPrice });
  });

  it('sells several items by one subscription and one invoice, tries them together, and takes them off', async () => {
    const addOns = [{ productId: 'prod_coach', priceId: 'price_coach', amount: 300 }];
    const { subscriptionId: id } = await subscribe({ addOns, trialDays: 7 });
    const trial = (await observe(id)).observation;
    expect(trial).toMatchObject({ subscription: { status: 'trial' }, addOns: [{ status: 'trial' }] });
    expect(trial.transactions).toMatchObject([
      { price: { amount: '0' }, phase: 'trial', addOns: [{ productId: 'prod_coach', phase: 'trial' }] },
    ]);
    await world.advance('P8D');
    const both = (await observe(id)).observation;
    expect(both).toMatchObject({
      subscription: { productId: 'prod_pro', status: 'active', renewalPrice: { amount: '9.99' } },
      addOns: [{ productId: 'prod_coach', basePlanId: 'price_coach', renewalPrice: { amount: '3' } }],
    });
    expect(both.transactions[0]).toMatchObject({
      ...{ productId: 'prod_pro', price: { amount: '12.99' }, storeShare: { amount: '0.68' } },
      addOns: [{ productId: 'prod_coach', phase: 'regular' }],
    });
    await act(id, 'downgrade', { addOns: [] });
    await world.advance('P31D');
    const alone = (await observe(id)).observation;
    expect(alone.addOns).toBeUndefined();
    expect(alone.transactions[0]).toMatchObject({ price: { amount: '9.99' } });
  });

  it('tells of a dozen items, ten at a time', async () => {
    const names = Array.from({ length: 12 }, (_, index) => 'abcdefghijkl'.charAt(index));
    const addOns = names.map((name) => ({ productId: `prod_${name}`, priceId: `price_${name}`, amount: 100 }));
    const products = addOns.map(({ productId }) => productId);
    const { subscriptionId } = await subscribe({ addOns });
    const { paymentIntentId } = await world.post('/stripe/payments', { ...monthly, priceId: 'price_life', addOns });
    const held = (await observe(subscriptionId)).observation;
    const paid = (await world.stripe.observe({ kind: 'payment', id: paymentIntentId! }, inTime()))!.observation;
    for (const { addOns: sold = [] } of [held, held.transactions[0] ?? {}, paid.transactions[0] ?? {}])
      expect(sold.map(({ productId }) => productId).sort()).toEqual(products);
  });

  it('takes single payments by a checkout', async () => {
    const addOns = [{ productId: 'prod_skin', priceId: 'price_skin', amount: 1 }];
    const { paymentIntentId: id } = await world.post('/stripe/payments', { ...monthly, priceId: 'price_life', addOns });
    const paid = (await world.stripe.observe({ kind: 'payment', id: id! }, inTime()))!;
    expect(paid.observation).toMatchObject({
      subscription: null,
      transactions: [
        {
          kind: 'one_time',
          basePlanId: 'price_life',
          price: { amount: '10' },
          storeShare: { amount: '0.59' },
          addOns: [{ basePlanId: 'price_skin' }],
        },
      ],
    });
    expect(world.heardOf(id)).toEqual(['checkout.session.completed']);
    await act(id!, 'refund');
    expect((await world.stripe.observe({ kind: 'payment', id: id! }, inTime()))!.observation.refunds).toHaveLength(1);
  });

  it('answers the right key alone', async () => {
    const headers = { authorization: 'Bearer sk_live_other' };
    const { status } = await fetch(`${world.server.url}/v1/subscriptions`, { headers });
    expect(status).toBe(401);
    await expect(observe('sub_none')).rejects.toMatchObject({ kind: 'not-found' });
  });
});
