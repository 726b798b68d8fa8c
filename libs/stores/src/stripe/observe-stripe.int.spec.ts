import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Observation } from '@paywright/contracts';
import { stripeSubscription } from '../testing/stripe-purchases.ts';
import { day, now, period, subject, StripeScene } from '../testing/stripe-scene.ts';

let scene: StripeScene;
beforeEach(async () => {
  scene = await StripeScene.start();
});
afterEach(() => scene.stop());

describe('stripeStore.observe, subscriptions', () => {
  it('dates an invoice by when it was paid, where it was made before', async () => {
    scene.subscribed();
    scene.invoiced('in_1', { created: (period.startsAt - 2 * day) / 1000 });
    expect((await scene.observe())?.transactions).toMatchObject([{ purchasedAt: period.startsAt }]);
  });

  it('tells of a paid subscription', async () => {
    scene.subscribed({ metadata: { profileId: 'P1', customerUserId: 'u1' } });
    scene.invoiced('in_1');
    expect(await scene.store().observe(subject)).toEqual({
      observation: {
        store: 'stripe',
        environment: 'production',
        originalId: 'sub_1',
        observedAt: now,
        replaces: [],
        account: 'P1',
        subscription: {
          status: 'active',
          productId: 'prod_1',
          basePlanId: 'price_1',
          offerId: null,
          transactionId: 'in_1',
          startsAt: period.startsAt,
          expiresAt: period.endsAt,
          graceExpiresAt: null,
          isOpenEnded: false,
          willRenew: true,
          renewsAs: null,
          renewalPrice: { amount: '9.99', currency: 'USD' },
          unsubscribedAt: null,
          billingIssueAt: null,
          cancellationReason: null,
        },
        transactions: [
          {
            transactionId: 'in_1',
            kind: 'subscription',
            productId: 'prod_1',
            basePlanId: 'price_1',
            offerId: null,
            phase: 'regular',
            purchasedAt: period.startsAt,
            startsAt: period.startsAt,
            expiresAt: period.endsAt,
            price: { amount: '9.99', currency: 'USD' },
            isEstimate: false,
            isFamilyShared: false,
            isUpgraded: false,
          },
        ],
        refunds: [],
        reversedRefunds: [],
        failedRefunds: [],
        revokedTransactions: [],
      },
      onItsWayBack: [],
      others: [],
      buyer: { customerId: 'cus_1', customerUserId: 'u1', paywallId: null },
    });
  });

  it.each([
    ['incomplete', 'pending', false, null],
    ['incomplete_expired', 'expired', false, 'unknown'],
    ['trialing', 'trial', true, null],
    ['active', 'active', true, null],
    ['past_due', 'grace', true, null],
    ['unpaid', 'billing_retry', true, null],
    ['paused', 'paused', false, null],
    ['canceled', 'expired', false, 'unknown'],
    ['of_tomorrow', 'unknown', false, null],
  ] as const)('reads %s as %s', async (status, expected, willRenew, cancellationReason) => {
    scene.subscribed({ status });
    const seen = await scene.observe();
    expect(Observation.parse(seen)).toEqual(seen);
    expect(seen?.subscription).toMatchObject({
      status: expected,
      willRenew,
      cancellationReason,
      isOpenEnded: status === 'past_due',
    });
  });

  it.each([
    ['cancellation_requested', 'voluntarily_cancelled'],
    ['payment_failed', 'billing_error'],
    ['payment_disputed', 'unknown'],
    ['of_tomorrow', 'unknown'],
  ])('reads the reason %s as %s', async (reason, cancellationReason) => {
    scene.subscribed({ status: 'canceled', ended_at: now / 1000, cancellation_details: { reason } });
    expect((await scene.observe())?.subscription).toMatchObject({ cancellationReason, expiresAt: now });
  });

  it('ends when it is to be cancelled, and renews until then', async () => {
    const told = async (at: number) => {
      scene.subscribed({ cancel_at: at / 1000, canceled_at: now / 1000 });
      return (await scene.observe())?.subscription;
    };
    expect(await told(now + day)).toMatchObject({ expiresAt: now + day, willRenew: false });
    expect(await told(period.endsAt)).toMatchObject({ expiresAt: period.endsAt, willRenew: false });
    expect(await told(period.endsAt + 300 * day)).toMatchObject({
      ...{ expiresAt: period.endsAt, willRenew: true, unsubscribedAt: null, cancellationReason: null },
      renewalPrice: { amount: '9.99', currency: 'USD' },
    });
  });

  it('tells of one of a customer’s subscriptions, and which others there are or were', async () => {
    const customer = { kind: 'customer', id: 'cus_1' } as const;
    expect(await scene.store().observe(customer)).toBeNull();
    scene.subscribed();
    for (const [id, of, change] of [
      ['sub_0', 'cus_1', { status: 'canceled' }],
      ['sub_2', 'cus_1', {}],
      ['sub_3', 'cus_2', {}],
    ] as const)
      scene.stripe.subscriptions.set(id, stripeSubscription(id, of, period, change));
    const seen = await scene.store().observe(customer);
    expect([seen?.observation.originalId, ...(seen?.others ?? [])].sort()).toEqual(['sub_0', 'sub_1', 'sub_2']);
  });

  it('knows the end of one whose customer is gone', async () => {
    scene.subscribed({ status: 'canceled', ended_at: now / 1000 });
    scene.stripe.deletedCustomers.add('cus_1');
    expect(await scene.observe()).toMatchObject({ subscription: { status: 'expired', expiresAt: now } });
  });

  it('knows a subscription that will end, by either field', async () => {
    for (const change of [{ cancel_at_period_end: true }, { cancel_at: now / 1000 + 9 }]) {
      scene.subscribed({ ...change, canceled_at: now / 1000 });
      expect((await scene.observe())?.subscription).toMatchObject({
        status: 'active',
        willRenew: false,
        unsubscribedAt: now,
        cancellationReason: 'voluntarily_cancelled',
      });
    }
  });

  it('lives from trial to end (D25)', async () => {
    const trial = { trial_start: now / 1000, trial_end: now / 1000 + 7 * 86_400 };
    scene.subscribed({ status: 'trialing', ...trial });
    scene.invoiced('in_1', {}, { startsAt: now, endsAt: now + 7 * day }, { amount: 0, currency: 'usd' });
    const inTrial = await scene.observe();
    expect(inTrial?.subscription).toMatchObject({ status: 'trial', expiresAt: now + 7 * day });
    expect(inTrial?.transactions).toMatchObject([{ phase: 'trial', price: { amount: '0', currency: 'USD' } }]);

    scene.subscribed({ status: 'active', ...trial });
    scene.invoiced('in_2', {}, { startsAt: now + 7 * day, endsAt: now + 37 * day });
    const paid = await scene.observe();
    expect(paid?.subscription).toMatchObject({ status: 'active', transactionId: 'in_2' });
    expect(paid?.transactions).toMatchObject([
      { transactionId: 'in_2', phase: 'regular', price: { amount: '9.99' } },
      { transactionId: 'in_1', phase: 'trial' },
    ]);

    scene.subscribed({ status: 'past_due', ...trial });
    const failedAt = now + 37 * day;
    scene.invoiced('in_3', { status: 'open', amount_paid: 0 }, { startsAt: failedAt, endsAt: failedAt + 30 * day });
    const pastDue = await scene.observe();
    expect(pastDue?.subscription).toMatchObject({
      status: 'grace',
      isOpenEnded: true,
      billingIssueAt: failedAt,
      transactionId: 'in_2',
    });
    expect(pastDue?.transactions).toHaveLength(2);

    scene.subscribed({ status: 'canceled', ended_at: now / 1000, cancellation_details: { reason: 'payment_failed' } });
    expect((await scene.observe())?.subscription).toMatchObject({
      status: 'expired',
      isOpenEnded: false,
      cancellationReason: 'billing_error',
    });
  });

  it('knows a trial that ended early, or was prolonged, and a period that cost nothing from both', async () => {
    const free = { amount: 0, currency: 'usd' };
    const trialTo = (end: number) => ({ trial_start: now / 1000, trial_end: end / 1000 });
    const phases = async () =>
      (await scene.observe())?.transactions.map(({ transactionId, phase }) => [transactionId, phase]);
    scene.subscribed(trialTo(now + 2 * day));
    scene.invoiced('in_1', {}, { startsAt: now, endsAt: now + 7 * day }, free);
    scene.invoiced('in_2', {}, { startsAt: now + 2 * day, endsAt: now + 32 * day }, free);
    expect(await phases()).toEqual([
      ['in_2', 'regular'],
      ['in_1', 'trial'],
    ]);
    scene.subscribed(trialTo(now + 14 * day));
    scene.invoiced('in_2', {}, { startsAt: now + 2 * day, endsAt: now + 14 * day }, free);
    expect((await phases())?.map(([, phase]) => phase)).toEqual(['trial', 'trial']);
  });
});
