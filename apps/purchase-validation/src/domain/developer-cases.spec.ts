import { describe, expect, it } from '@jest/globals';
import type { SubscriptionFact } from '@paywright/contracts';
import {
  attribution,
  bought,
  claimBy,
  day,
  lived,
  notified,
  now,
  observe,
  observed,
  p1,
  p2,
  refunded,
  standing,
  trial,
  usd,
} from './testing/purchases.ts';

const paid = observed({ transactions: [bought('2000')], subscription: standing() });
const validated = observe(paid, { claim: claimBy(p1, { transactionId: '2000' }) });
const changed = (
  observedAt: number,
  subscription: Partial<SubscriptionFact>,
  more: Parameters<typeof observed>[0] = {},
) => observe(observed({ observedAt, subscription: standing(subscription), ...more }));

describe('App Store', () => {
  it('D1: a paid subscription', () => {
    const { view, labels } = lived(validated);
    expect(view(p1)).toMatchObject({ paid: true, state: 'subscribed', totalRevenueUsd: 9.99 });
    expect(Object.keys(view(p1).subscriptions)).toEqual(['pro.monthly']);
    expect(view(p1).accessLevels['premium']).toMatchObject({
      isActive: true,
      willRenew: true,
      sourceProductId: 'pro.monthly',
    });
    expect(labels).toEqual(['subscription_started']);
  });

  const trialing = observed({
    transactions: [trial('2000')],
    subscription: standing({ status: 'trial' }),
  });
  const converted = changed(
    now + 30 * day,
    { transactionId: '2001', startsAt: now + 30 * day, expiresAt: now + 60 * day },
    {
      transactions: [bought('2001', { purchasedAt: now + 30 * day, startsAt: now + 30 * day })],
    },
  );

  it('D4: a trial earns nothing', () => {
    const { view, labels, chain } = lived(observe(trialing, { claim: claimBy(p1) }));
    expect(view(p1)).toMatchObject({ paid: false, state: 'active-trial', totalRevenueUsd: 0 });
    expect(view(p1).subscriptions['pro.monthly']).toMatchObject({ activeIntroductoryOfferType: 'free_trial' });
    expect(labels).toEqual(['trial_started']);
    expect(chain.movements).toEqual([]);
  });

  it('D5: a trial converts, once', () => {
    const { view, labels } = lived(observe(trialing, { claim: claimBy(p1) }), converted, converted);
    expect(view(p1, now + 31 * day)).toMatchObject({ paid: true, state: 'subscribed', totalRevenueUsd: 9.99 });
    expect(labels.filter((label) => label === 'trial_converted')).toHaveLength(1);
  });

  it('D6: a paid introduction', () => {
    const offer = { kind: 'introductory', type: 'pay_up_front' } as const;
    const intro = bought('2000', { phase: 'intro', price: usd('1.99'), offer });
    const { view } = lived(
      observe(observed({ transactions: [intro], subscription: standing({ status: 'intro' }) }), { claim: claimBy(p1) }),
    );
    expect(view(p1)).toMatchObject({ paid: true, state: 'subscribed', totalRevenueUsd: 1.99 });
    expect(view(p1).subscriptions['pro.monthly']).toMatchObject({ activeIntroductoryOfferType: 'pay_up_front' });
  });

  it('D7: sandbox is listed and in the ledger, and counts for nothing', () => {
    const { view, events } = lived(observe({ ...paid, environment: 'sandbox' }, { claim: claimBy(p1) }));
    expect(view(p1)).toMatchObject({ paid: false, state: 'never-subscribed', totalRevenueUsd: 0 });
    expect(view(p1).accessLevels['premium']).toMatchObject({ isActive: true });
    const [row] = events.filter(({ type }) => type === 'MoneyMoved');
    expect(row?.body).toMatchObject({ environment: 'sandbox', amount: '9.99', usd: '9.99' });
  });

  it('D11, D12: a notification repeated, and after validate: one event, revenue once', () => {
    const notification = observe({ ...paid, observedAt: now + 5 }, { notification: notified('n1', 'SUBSCRIBED') });
    const { view, events } = lived(validated, notification, notification, notification);
    expect(events.filter(({ type }) => type === 'NotificationReceived')).toHaveLength(1);
    expect(events.filter(({ type }) => type === 'MoneyMoved')).toHaveLength(1);
    expect(view(p1).totalRevenueUsd).toBe(9.99);
  });

  it('D13: late news of a renewal books its money and revives nothing', () => {
    const expired = changed(now + 40 * day, { status: 'expired', willRenew: false });
    const late = changed(
      now + 30 * day,
      { transactionId: '2001', expiresAt: now + 60 * day },
      {
        transactions: [bought('2001', { purchasedAt: now + 30 * day })],
      },
    );
    const { view } = lived(validated, expired, late);
    expect(view(p1, now + 41 * day)).toMatchObject({
      paid: false,
      state: 'subscription-cancelled',
      totalRevenueUsd: 19.98,
    });
  });

  it('D14: renewal off, and on again', () => {
    const off = changed(now + 1, { willRenew: false, unsubscribedAt: now + 1 });
    const on = changed(now + 2, {});
    const after = lived(validated, off);
    expect(after.view(p1)).toMatchObject({ paid: true, state: 'auto-renew-off' });
    expect(after.view(p1).accessLevels['premium']).toMatchObject({
      isActive: true,
      willRenew: false,
      cancellationReason: 'voluntarily_cancelled',
    });
    const again = lived(validated, off, on);
    expect(again.view(p1)).toMatchObject({ state: 'subscribed' });
    expect(again.labels.slice(1)).toEqual(['subscription_renewal_cancelled', 'subscription_renewal_reactivated']);
  });

  it('D14: renewal stays off since it was switched off, though the store, asked, does not say when', () => {
    const off = changed(now + 1, { willRenew: false, unsubscribedAt: now + 1 });
    const asked = (at: number, willRenew: boolean) => changed(at, { willRenew });
    const since = (...commands: readonly ReturnType<typeof observe>[]) =>
      lived(validated, ...commands).view(p1).subscriptions['pro.monthly']?.unsubscribedAt;
    expect(since(off, asked(now + 2, false))).toBe(new Date(now + 1).toISOString());
    expect(since(asked(now + 2, false), off)).toBe(new Date(now + 1).toISOString());
    expect(since(off, asked(now + 2, true))).toBeNull();
    expect(since(off, asked(now + 3, false), asked(now + 2, true))).toBeNull(); // off again, unheard of
  });

  it('D15: grace, then billing retry', () => {
    const end = now + 30 * day;
    const grace = changed(end, { status: 'grace', graceExpiresAt: end + 16 * day, billingIssueAt: end });
    const retry = changed(end + 16 * day, { status: 'billing_retry', billingIssueAt: end });
    const failing = lived(validated, grace);
    expect(failing.view(p1, end + day)).toMatchObject({ paid: true, state: 'grace-period' });
    expect(failing.view(p1, end + day).accessLevels['premium']).toMatchObject({
      isActive: true,
      isInGracePeriod: true,
    });
    expect(failing.view(p1, end + 16 * day).state).toBe('billing-issue'); // by the clock alone
    const { view, labels } = lived(validated, grace, retry);
    expect(view(p1, end + 17 * day)).toMatchObject({ paid: false, state: 'billing-issue' });
    expect(view(p1, end + 17 * day).accessLevels['premium']).toMatchObject({ isActive: false });
    expect(labels.slice(1)).toEqual(['billing_issue_detected', 'entered_grace_period', 'access_ended']);
  });

  it('D16: a refund ends access and nets to 0, and reversed restores both', () => {
    const refunds = [refunded('2000', now + day)];
    const refund = changed(now + day, { status: 'revoked', willRenew: false }, { refunds });
    const after = lived(validated, refund);
    expect(after.view(p1, now + 2 * day)).toMatchObject({
      paid: false,
      state: 'subscription-cancelled',
      totalRevenueUsd: 0,
    });
    expect(after.view(p1, now + 2 * day).subscriptions['pro.monthly']).toMatchObject({
      isActive: false,
      isRefund: true,
      cancellationReason: 'refund',
    });
    const reversed = changed(now + 2 * day, {}, { reversedRefunds: ['2000'] });
    const { view } = lived(validated, refund, reversed, reversed);
    expect(view(p1, now + 3 * day)).toMatchObject({ paid: true, state: 'subscribed', totalRevenueUsd: 9.99 });
  });

  it('D26: what the client says of the price is kept and not counted', () => {
    const clientReported = { price: '999', currency: 'USD', hasTrialPhase: null };
    const { view, events } = lived(observe(paid, { claim: claimBy(p1, { clientReported }) }));
    expect(view(p1).totalRevenueUsd).toBe(9.99);
    expect(events[0]?.body).toMatchObject({ clientReported });
  });

  it('D27: yen', () => {
    const yen = bought('2000', { price: { amount: '1500', currency: 'JPY' } });
    const { view, chain } = lived(observe({ ...paid, transactions: [yen] }, { claim: claimBy(p1) }));
    expect(chain.movements).toMatchObject([{ amount: '1500', currency: 'JPY', usd: '10.147059' }]);
    expect(view(p1).totalRevenueUsd).toBe(10.15);
  });

  it('D28: a restore moves access, and leaves revenue and attribution with the first', () => {
    const origin = attribution();
    const first = observe(paid, { claim: claimBy(p1, { origin }) });
    const restored = observe(
      { ...paid, observedAt: now + day },
      { claim: claimBy(p2, { source: 'restore', origin: attribution({ paywallId: 99 }) }) },
    );
    const { view, chain } = lived(first, restored);
    expect(view(p2)).toMatchObject({ paid: true, state: 'subscribed', totalRevenueUsd: 0 });
    expect(view(p1)).toMatchObject({ paid: false, state: 'subscription-cancelled', totalRevenueUsd: 9.99 });
    expect(view(p1).subscriptions['pro.monthly']).toMatchObject({ isActive: false, cancellationReason: 'unknown' });
    expect(chain.origin).toEqual(origin);
  });
});

describe('Play', () => {
  const play = { ...paid, store: 'play_store' as const, transactions: [bought('GPA.1')] };
  const active = observe({ ...play, subscription: standing({ transactionId: 'GPA.1' }) }, { claim: claimBy(p1) });

  it.each([
    ['billing_retry', 'billing-issue'],
    ['paused', 'subscription-cancelled'],
    ['expired', 'subscription-cancelled'],
  ] as const)('D23: %s is not entitled', (status, state) => {
    const ended = observe({ ...play, observedAt: now + 30 * day, subscription: standing({ status }) });
    const { view } = lived(active, ended);
    expect(view(p1, now + 31 * day)).toMatchObject({ paid: false, state });
    expect(view(p1, now + 31 * day).accessLevels['premium']).toMatchObject({ isActive: false });
  });

  it('lets a paused subscription run to the end of its period', () => {
    const paused = observe({ ...play, observedAt: now + day, subscription: standing({ status: 'paused' }) });
    expect(lived(active, paused).view(p1, now + 2 * day)).toMatchObject({ paid: true, state: 'subscribed' });
  });
});

it('D25: a Stripe life', () => {
  const stripe = (observedAt: number, subscription: Partial<SubscriptionFact>, invoices = [trial('in_0')]) =>
    observe(observed({ store: 'stripe', observedAt, transactions: invoices, subscription: standing(subscription) }), {
      accountProfileId: p1,
    });
  const end = now + 30 * day;
  const trialing = stripe(now, { status: 'trial', transactionId: 'in_0' });
  const active = stripe(end, { transactionId: 'in_1', expiresAt: end + 30 * day }, [
    bought('in_1', { purchasedAt: end }),
  ]);
  const pastDue = stripe(end + 30 * day, { status: 'grace', transactionId: 'in_1', isOpenEnded: true });
  const canceled = stripe(end + 90 * day, { status: 'expired', transactionId: 'in_1', willRenew: false });

  expect(lived(trialing).view(p1)).toMatchObject({ state: 'active-trial', paid: false, totalRevenueUsd: 0 });
  const converted = lived(trialing, active);
  expect(converted.view(p1, end + day)).toMatchObject({ state: 'subscribed', paid: true, totalRevenueUsd: 9.99 });
  expect(converted.labels).toEqual(['trial_started', 'trial_converted']);
  const failing = lived(trialing, active, pastDue).view(p1, end + 89 * day);
  expect(failing).toMatchObject({ state: 'grace-period', paid: true });
  const over = lived(trialing, active, pastDue, canceled).view(p1, end + 91 * day);
  expect(over).toMatchObject({ state: 'subscription-cancelled', paid: false, totalRevenueUsd: 9.99 });
});
