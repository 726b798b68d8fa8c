import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { stripeBalanceTransaction, stripePayment, stripeRefund } from '../testing/stripe-purchases.ts';
import { day, now, StripeScene, subject, usd } from '../testing/stripe-scene.ts';
import type { StripeSubject } from './stripe-webhook.ts';

let scene: StripeScene;
beforeEach(async () => {
  scene = await StripeScene.start();
});
afterEach(() => scene.stop());

describe('stripeStore.observe, money given back', () => {
  const refunded: StripeSubject = { kind: 'charge', id: 'ch_1', paymentIntent: 'pi_in_1' };

  it('tells of each refund by itself, however Stripe adds them up', async () => {
    scene.subscribed();
    scene.invoiced('in_1');
    scene.charged('ch_1', 'in_1', 300);
    scene.stripe.refunds.set('re_1', stripeRefund('re_1', 'ch_1', { ...usd, amount: 300, at: now }));
    const first = await scene.observe(refunded);
    scene.charged('ch_1', 'in_1', 999);
    scene.stripe.refunds.set(
      're_2',
      stripeRefund('re_2', 'ch_1', { ...usd, amount: 699, at: now + 1000 }, { reason: 'requested_by_customer' }),
    );
    const second = await scene.observe(refunded);
    const re1 = {
      refundId: 're_1',
      transactionId: 'in_1',
      refundedAt: now,
      amount: { amount: '3', currency: 'USD' },
      reason: null,
    };
    expect(first?.refunds).toEqual([re1]);
    expect(second?.refunds).toEqual([
      {
        refundId: 're_2',
        transactionId: 'in_1',
        refundedAt: now + 1000,
        amount: { amount: '6.99', currency: 'USD' },
        reason: 'requested_by_customer',
      },
      re1,
    ]);
    expect(second?.originalId).toBe('sub_1');
  });

  it('sees refunds on whatever event it looks, of every invoice, and of no other payment of the customer', async () => {
    scene.subscribed({ status: 'canceled', ended_at: now / 1000 });
    scene.invoiced('in_1', {}, { startsAt: now - 31 * day });
    scene.invoiced('in_2');
    scene.charged('ch_1', 'in_1', 999);
    scene.charged('ch_2', 'in_2', 0);
    scene.charged('ch_3', 'other', 999);
    for (const id of ['1', '2', '3'])
      scene.stripe.refunds.set(`re_${id}`, stripeRefund(`re_${id}`, `ch_${id}`, { ...usd, at: now }));
    const seen = await scene.observe();
    expect(seen?.refunds).toMatchObject([{ refundId: 're_1', transactionId: 'in_1' }]);
    expect(seen?.subscription?.cancellationReason).toBe('unknown');
    scene.charged('ch_2', 'in_2', 999);
    expect((await scene.observe())?.subscription?.cancellationReason).toBe('refund');
  });

  it('calls a period given back only if all that paid it is, by whichever charge', async () => {
    scene.subscribed({ status: 'canceled', ended_at: now / 1000 });
    const reason = async () => (await scene.observe())?.subscription?.cancellationReason;
    const part = (amount: number, refunded: number) => ({
      ...{ amount, amount_captured: amount, refunded: refunded === amount },
    });
    const payments = [stripePayment('in_1', { id: 'in_1', amount: 400, at: now })];
    payments.push(stripePayment('in_1', { id: 'b', amount: 599, at: now }));
    scene.invoiced('in_1', { payments: { data: payments } });
    scene.charged('ch_1', 'in_1', 400, part(400, 400));
    expect(await reason()).toBe('unknown'); // the rest was paid elsewhere
    scene.charged('ch_2', 'b', 0, part(599, 0));
    expect(await reason()).toBe('unknown');
    scene.charged('ch_2', 'b', 599, part(599, 599));
    expect(await reason()).toBe('refund');
    scene.charged('ch_0', 'b', 0, { status: 'failed', amount_captured: 0 });
    expect(await reason()).toBe('refund');
  });

  it('calls no trial given back, for which nobody paid', async () => {
    scene.subscribed({ status: 'canceled', ended_at: now / 1000 });
    scene.invoiced('in_1', { payments: { data: [] } }, {}, { ...usd, amount: 0 });
    expect((await scene.observe())?.subscription?.cancellationReason).toBe('unknown');
  });

  it('knows an invoice’s charge that no payment intent made, and takes no other such charge for it', async () => {
    scene.subscribed();
    const payment = { type: 'charge', charge: 'ch_1', payment_intent: null } as const;
    scene.invoiced('in_1', { payments: { data: [{ ...stripePayment('in_1', { ...usd, at: now }), payment }] } });
    for (const charge of ['ch_1', 'ch_2']) {
      scene.charged(charge, 'none', 999, { payment_intent: null });
      scene.stripe.refunds.set(`re_${charge}`, stripeRefund(`re_${charge}`, charge, { ...usd, at: now }));
    }
    const refunds = (await scene.observe())?.refunds.map(({ refundId, transactionId }) => [refundId, transactionId]);
    expect(refunds).toEqual([['re_ch_1', 'in_1']]);
  });

  it('counts no refund that waits, and takes back one that failed', async () => {
    scene.subscribed();
    scene.invoiced('in_1');
    scene.charged('ch_1', 'in_1', 999);
    scene.stripe.refunds.set('re_1', stripeRefund('re_1', 'ch_1', { ...usd, at: now }, { status: 'pending' }));
    expect(await scene.observe(refunded)).toMatchObject({ refunds: [], failedRefunds: [] });
    scene.charged('ch_1', 'in_1', 0);
    scene.stripe.refunds.set('re_1', stripeRefund('re_1', 'ch_1', { ...usd, at: now }, { status: 'failed' }));
    expect(await scene.observe(refunded)).toMatchObject({ refunds: [], failedRefunds: ['re_1'] });
  });

  it('counts what a credit note says was given back outside of Stripe', async () => {
    const note = (id: string, amount: number | null, status: 'issued' | 'void' = 'issued') =>
      scene.stripe.creditNotes.set(id, {
        ...{ id, object: 'credit_note', invoice: 'in_1', status, reason: 'product_unsatisfactory' },
        ...{ lines: { data: [] }, refunds: [] },
        ...{ out_of_band_amount: amount, post_payment_amount: 400, currency: 'usd', created: now / 1000 },
      });
    scene.subscribed();
    scene.invoiced('in_1', { post_payment_credit_notes_amount: 400 });
    scene.charged('ch_1', 'in_1');
    note('cn_1', 300);
    note('cn_2', null); // by a refund, or to the customer's balance
    note('cn_3', 400, 'void');
    expect((await scene.observe())?.refunds).toEqual([
      {
        ...{ refundId: 'cn_1', transactionId: 'in_1', refundedAt: now, reason: 'product_unsatisfactory' },
        amount: { amount: '3', currency: 'USD' },
      },
    ]);
    scene.stripe.faults.push({ kind: 'forbidden', on: /credit_notes/ });
    expect((await scene.observe())?.refunds).toEqual([]);
    scene.invoiced('in_1');
    scene.stripe.calls.length = 0;
    await scene.observe();
    expect(scene.stripe.calls.map(({ path }) => path)).not.toContain('/v1/credit_notes');
  });

  it('counts what a credit note says was given back of payments that were only recorded at Stripe', async () => {
    const recorded = (amount: number, group: string) => ({
      ...{ refund: null, amount_refunded: amount, type: 'payment_record_refund' as const },
      payment_record_refund: { payment_record: 'prec_1', refund_group: group },
    });
    scene.subscribed();
    scene.invoiced('in_1', { post_payment_credit_notes_amount: 700 });
    scene.stripe.creditNotes.set('cn_1', {
      ...{ id: 'cn_1', object: 'credit_note', invoice: 'in_1', status: 'issued', reason: null, currency: 'usd' },
      ...{ out_of_band_amount: 100, post_payment_amount: 700, created: now / 1000, lines: { data: [] } },
      refunds: [{ refund: 're_1', amount_refunded: 300, type: 'refund' }, recorded(200, 'a'), recorded(100, 'b')],
    });
    const told = { transactionId: 'in_1', refundedAt: now, reason: null };
    expect((await scene.observe())?.refunds).toEqual([
      { ...told, refundId: 'cn_1', amount: { amount: '1', currency: 'USD' } },
      { ...told, refundId: 'cn_1:recorded', amount: { amount: '3', currency: 'USD' } },
    ]);
  });

  it('counts a dispute once it is lost', async () => {
    scene.subscribed();
    scene.invoiced('in_1');
    scene.charged('ch_1', 'in_1');
    const dispute = { id: 'dp_1', object: 'dispute', charge: 'ch_1', ...usd, created: now / 1000 } as const;
    scene.stripe.disputes.set('dp_1', { ...dispute, status: 'under_review' });
    expect((await scene.observe(refunded))?.refunds).toEqual([]);
    scene.stripe.disputes.set('dp_1', { ...dispute, status: 'lost' });
    expect((await scene.observe(refunded))?.refunds).toMatchObject([
      { refundId: 'dp_1', amount: { amount: '9.99' }, reason: 'disputed' },
    ]);
  });

  it('counts of a dispute that is lost in part what did not come back, without its fee', async () => {
    scene.subscribed();
    scene.invoiced('in_1');
    scene.charged('ch_1', 'in_1', 0, { disputed: true });
    const dispute = { id: 'dp_1', object: 'dispute', charge: 'ch_1', ...usd, created: now / 1000 } as const;
    // The account settles in another currency.
    const moved = (amount: number, fee = 0) =>
      stripeBalanceTransaction(`txn_${amount}`, { amount, fee, currency: 'eur', at: now });
    const seen = async (...balance_transactions: ReturnType<typeof moved>[]) => {
      scene.stripe.disputes.set('dp_1', { ...dispute, status: 'lost', balance_transactions });
      const { refunds, failedRefunds } = (await scene.observe())!;
      return [refunds.map(({ refundId, amount }) => [refundId, amount?.amount]), failedRefunds];
    };
    const taken = moved(-900, 1500);
    expect(await seen(taken)).toEqual([[['dp_1', '9.99']], []]);
    expect(await seen(taken, moved(300))).toEqual([[['dp_1:lost', '6.66']], ['dp_1']]);
    expect(await seen(taken, moved(900))).toEqual([[], ['dp_1']]);
    expect(await seen()).toEqual([[['dp_1', '9.99']], []]);
    // Its fee can be a movement of its own.
    const fee = { ...moved(-1500), reporting_category: 'fee' };
    const [withdrawn, reinstated] = [moved(-900), moved(300)];
    const told = [{ ...withdrawn, reporting_category: 'dispute' }, fee];
    expect(await seen(...told)).toEqual([[['dp_1', '9.99']], []]);
    told.push({ ...reinstated, reporting_category: 'dispute_reversal' });
    expect(await seen(...told)).toEqual([[['dp_1:lost', '6.66']], ['dp_1']]);
  });

  it('takes back what of a dispute was lost in part once it is won on appeal', async () => {
    scene.subscribed();
    scene.invoiced('in_1');
    scene.charged('ch_1', 'in_1', 0, { disputed: true });
    const dispute = { id: 'dp_1', object: 'dispute', charge: 'ch_1', ...usd, created: now / 1000 } as const;
    const moved = (amount: number) => stripeBalanceTransaction(`txn_${amount}`, { ...usd, amount, fee: 0, at: now });
    const failed = async (status: 'lost' | 'won', ...balance_transactions: ReturnType<typeof moved>[]) => {
      scene.stripe.disputes.set('dp_1', { ...dispute, status, balance_transactions });
      return (await scene.observe())!.failedRefunds;
    };
    expect(await failed('lost', moved(-999), moved(300))).toEqual(['dp_1']);
    expect(await failed('won', moved(-999), moved(300), moved(699))).toEqual(['dp_1', 'dp_1:lost']);
    expect(await failed('won', moved(-999), moved(300))).toEqual(['dp_1', 'dp_1:lost']);
    expect(await failed('won', moved(-999), moved(999))).toEqual(['dp_1']);
  });

  it('takes a dispute that is told in another currency than the charge for one of all of the charge', async () => {
    scene.subscribed();
    scene.invoiced('in_1');
    scene.charged('ch_1', 'in_1', 0, { disputed: true });
    scene.stripe.disputes.set('dp_1', {
      ...{ id: 'dp_1', object: 'dispute', charge: 'ch_1', created: now / 1000, status: 'lost' },
      ...{ amount: 912, currency: 'eur' },
    });
    expect((await scene.observe())?.refunds).toMatchObject([
      { refundId: 'dp_1', amount: { amount: '9.99', currency: 'USD' } },
    ]);
  });

  it('takes back a dispute that was lost and then won on appeal, and looks for that to come', async () => {
    scene.subscribed();
    scene.invoiced('in_1');
    scene.charged('ch_1', 'in_1', 0, { disputed: true });
    const seen = async (status: 'lost' | 'appeal_under_review' | 'won') => {
      const dispute = { id: 'dp_1', object: 'dispute', charge: 'ch_1', ...usd, created: now / 1000 } as const;
      scene.stripe.disputes.set('dp_1', { ...dispute, status });
      const { observation, onItsWayBack } = (await scene.store().observe(subject))!;
      const { refunds, failedRefunds } = observation;
      return [refunds.map(({ refundId }) => refundId), failedRefunds, onItsWayBack.map(({ id }) => id)];
    };
    expect(await seen('lost')).toEqual([['dp_1'], [], ['dp_1']]);
    expect(await seen('appeal_under_review')).toEqual([[], [], ['dp_1']]);
    expect(await seen('won')).toEqual([[], ['dp_1'], []]);
  });
});
