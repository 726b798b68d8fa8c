import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { stripePayment, stripeRefund } from '../testing/stripe-purchases.ts';
import { day, now, StripeScene } from '../testing/stripe-scene.ts';

let scene: StripeScene;
beforeEach(async () => {
  scene = await StripeScene.start();
});
afterEach(() => scene.stop());

const next = { startsAt: now, endsAt: now + 30 * day };
const first = stripePayment('in_2', { id: 'a', amount: 400, at: now });
const second = stripePayment('in_2', { id: 'b', amount: 599, at: now + 2 * day });
const open = {
  ...stripePayment('in_2', { id: 'c', amount: 0, at: now }),
  ...{ amount_paid: null, status: 'open', status_transitions: { paid_at: null, canceled_at: null } },
};
const partTold = { paymentId: 'inpay_a', paidAt: now, amount: '4' };

describe('stripeStore.observe, invoices that are paid in part', () => {
  const invoiced = (status: 'open' | 'uncollectible' | 'void' | 'paid', payments: (typeof first)[]) => {
    const paid = payments.reduce((sum, { amount_paid }) => sum + (amount_paid ?? 0), 0);
    const transitions = { paid_at: status === 'paid' ? now / 1000 + 2 * 86_400 : null, finalized_at: now / 1000 };
    const changes = { status, amount_paid: paid, status_transitions: transitions, payments: { data: payments } };
    scene.invoiced('in_2', changes, next);
  };
  const told = async () => {
    const seen = await scene.observe();
    return { seen, part: seen?.transactions.find(({ transactionId }) => transactionId === 'in_2') };
  };
  beforeEach(() => {
    scene.subscribed({ status: 'past_due' });
    scene.invoiced('in_1', {}, { startsAt: now - 30 * day, endsAt: now });
  });

  it.each(['open', 'uncollectible', 'void'] as const)('tells what was paid of one that is %s', async (status) => {
    invoiced(status, [open, first]);
    const { seen, part } = await told();
    expect(part).toMatchObject({ price: { amount: '4', currency: 'USD' }, purchasedAt: now, payments: [partTold] });
    expect(part).toMatchObject({ buysPeriod: false });
    expect(seen?.subscription?.transactionId).toBe('in_1'); // the last period that was paid for
  });

  it.each(['open', 'uncollectible', 'void'] as const)('tells nothing of one that is %s and unpaid', async (status) => {
    invoiced(status, [open]);
    expect((await told()).part).toBeUndefined();
  });

  it('tells each of the payments that paid one, and dates it by the first of them', async () => {
    invoiced('paid', [second, first]);
    const payments = [partTold, { paymentId: 'inpay_b', paidAt: now + 2 * day, amount: '5.99' }];
    const { part } = await told();
    expect(part).toMatchObject({ price: { amount: '9.99' }, purchasedAt: now, payments });
    expect(part).not.toHaveProperty('buysPeriod');
  });

  it('knows one payment of a whole invoice by the invoice alone', async () => {
    invoiced('paid', [stripePayment('in_2', { amount: 999, at: now })]);
    expect((await told()).part).not.toHaveProperty('payments');
  });

  it('is found by the payment of a part, which tells of no subscription', async () => {
    invoiced('open', [open, first]);
    const seen = await scene.observe({ kind: 'payment', id: first.payment.payment_intent ?? '' });
    expect(seen).toMatchObject({ originalId: 'sub_1', transactions: [{ payments: [partTold] }, {}] });
  });

  it('tells what was given back of a part', async () => {
    invoiced('void', [first]);
    scene.charged('ch_a', 'a', 400, { amount: 400, amount_captured: 400, refunded: true });
    scene.stripe.refunds.set('re_1', stripeRefund('re_1', 'ch_a', { amount: 400, currency: 'usd', at: now }));
    expect((await told()).seen?.refunds).toMatchObject([{ transactionId: 'in_2', amount: { amount: '4' } }]);
  });
});
