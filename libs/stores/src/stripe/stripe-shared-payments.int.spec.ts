import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  stripeBalanceTransaction,
  stripeInvoice,
  stripePayment,
  stripeRefund,
  stripeSubscription,
} from '../testing/stripe-purchases.ts';
import { day, now, period, StripeScene, usd } from '../testing/stripe-scene.ts';
import type { StripeSubject } from './stripe-webhook.ts';

let scene: StripeScene;
beforeEach(async () => {
  scene = await StripeScene.start();
});
afterEach(() => scene.stop());

const paidBy = (invoice: string, amount: number, paymentIntent = 'pi_shared') => ({
  amount_paid: amount,
  payments: {
    data: [
      {
        ...stripePayment(invoice, { amount, at: now }),
        payment: { type: 'payment_intent', payment_intent: paymentIntent } as const,
      },
    ],
  },
});
const before = { startsAt: now - 31 * day, endsAt: period.startsAt };
const refunded: StripeSubject = { kind: 'charge', id: 'ch_1', paymentIntent: 'pi_shared' };

describe('stripeStore.observe, one payment of several invoices', () => {
  const invoiced = (id: string, amount: number, of = {}) => scene.invoiced(id, paidBy(id, amount), of);
  const charged = (given: number, changes: object = {}) => scene.charged('ch_1', 'shared', given, changes);
  const refund = (id: string, amount: number, at: number, changes: object = {}) =>
    scene.stripe.refunds.set(id, stripeRefund(id, 'ch_1', { amount, currency: 'usd', at }, changes));
  const taken = (fee: number) => ({
    balance_transaction: stripeBalanceTransaction('txn_1', { ...usd, fee, at: now }),
  });
  const given = async () =>
    (await scene.observe(refunded))?.refunds.map(({ refundId, transactionId, amount }) => [
      refundId,
      transactionId,
      amount?.amount,
    ]);
  beforeEach(() => {
    scene.subscribed();
    invoiced('in_1', 600, before);
    invoiced('in_2', 399);
  });

  it('tells of its fee what falls to each', async () => {
    charged(0, taken(59));
    expect((await scene.observe())?.transactions).toMatchObject([
      { transactionId: 'in_2', storeShare: { amount: '0.24' } },
      { transactionId: 'in_1', storeShare: { amount: '0.35' } },
    ]);
  });

  it('gives back of each its part, to the cent', async () => {
    charged(101, { refunded: false });
    refund('re_1', 101, now);
    expect(await given()).toEqual([
      ['re_1:in_1', 'in_1', '0.6'],
      ['re_1:in_2', 'in_2', '0.41'],
    ]);
    charged(999);
    refund('re_2', 898, now + day);
    expect(await given()).toEqual([
      ['re_1:in_1', 'in_1', '0.6'],
      ['re_2:in_1', 'in_1', '5.4'],
      ['re_1:in_2', 'in_2', '0.41'],
      ['re_2:in_2', 'in_2', '3.58'],
    ]);
  });

  it('tells what each refund cost of each', async () => {
    charged(999);
    refund('re_1', 999, now, taken(-59));
    const seen = await scene.observe(refunded);
    expect(seen?.refunds).toMatchObject([{ storeShare: { amount: '-0.35' } }, { storeShare: { amount: '-0.24' } }]);
  });

  it('takes back of each what a refund that failed gave', async () => {
    charged(0);
    refund('re_1', 999, now, { status: 'failed' });
    expect(await scene.observe(refunded)).toMatchObject({ refunds: [], failedRefunds: ['re_1:in_1', 're_1:in_2'] });
  });

  it('takes back of each what a dispute took that was won', async () => {
    charged(0, { disputed: true });
    const dispute = { id: 'dp_1', object: 'dispute', charge: 'ch_1', ...usd, created: now / 1000 } as const;
    scene.stripe.disputes.set('dp_1', { ...dispute, status: 'won' });
    expect(await scene.observe()).toMatchObject({ refunds: [], failedRefunds: ['dp_1:in_1', 'dp_1:in_2'] });
  });

  it('calls each given back once all of the payment is', async () => {
    scene.subscribed({ status: 'canceled', ended_at: now / 1000 });
    const reason = async () => (await scene.observe())?.subscription?.cancellationReason;
    charged(399, { refunded: false });
    expect(await reason()).toBe('unknown');
    charged(999);
    expect(await reason()).toBe('refund');
  });

  it('waits once for what may yet come to something else', async () => {
    charged(999);
    refund('re_1', 999, now);
    expect((await scene.store().observe(refunded))?.onItsWayBack).toHaveLength(1);
  });

  it('tells of another subscription’s invoice nothing but that it is to be asked about', async () => {
    const other = stripeSubscription('sub_2', 'cus_1', period);
    scene.stripe.subscriptions.set('sub_2', other);
    scene.stripe.invoices.set('in_2', stripeInvoice('in_2', 'sub_2', period, usd, paidBy('in_2', 399)));
    charged(101, { refunded: false, ...taken(59) });
    refund('re_1', 101, now);
    const seen = await scene.store().observe(refunded);
    expect(seen).toMatchObject({ observation: { originalId: 'sub_2' }, others: ['sub_1'] });
    expect(seen?.observation).toMatchObject({
      transactions: [{ transactionId: 'in_2', storeShare: { amount: '0.24' } }],
      refunds: [{ refundId: 're_1:in_2', transactionId: 'in_2', amount: { amount: '0.41' } }],
    });
    expect(await scene.store().observe({ kind: 'subscription', id: 'sub_1' })).toMatchObject({
      observation: { refunds: [{ refundId: 're_1:in_1', amount: { amount: '0.6' } }] },
      others: [],
    });
    charged(0);
    refund('re_1', 101, now, { status: 'failed' });
    expect(await scene.observe({ kind: 'subscription', id: 'sub_1', chargeId: 'ch_1' })).toMatchObject({
      failedRefunds: ['re_1:in_1'],
    });
  });

  it('knows no share where some of the payment is no invoice’s', async () => {
    charged(0, { amount: 1200, amount_captured: 1200, ...taken(59) });
    for (const one of (await scene.observe())!.transactions) expect(one).not.toHaveProperty('storeShare');
  });
});
