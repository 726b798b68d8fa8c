import { describe, expect, it } from '@jest/globals';
import type {
  ObservedPurchase,
  ObservePurchase,
  RefundFact,
  SubscriptionFact,
  TransactionFact,
} from '@paywright/contracts';
import {
  bought,
  chainId,
  claimBy,
  day,
  lived,
  now,
  observe,
  observed,
  p1,
  p2,
  refunded,
  standing,
  usd,
} from './testing/purchases.ts';

const base = standing({ transactionId: 'GPA.1' });
const coach = standing({ productId: 'coach', transactionId: 'GPA.2' });
const orders = [bought('GPA.1'), bought('GPA.2', { productId: 'coach', purchasedAt: now + 1, startsAt: now + 1 })];
const said = (
  observedAt: number,
  subscription: SubscriptionFact,
  addOns: SubscriptionFact[],
  transactions: TransactionFact[] = orders,
) => observe(observed({ store: 'play_store', observedAt, transactions, subscription, addOns }), { claim: claimBy(p1) });
const both = said(now, base, [coach]);

describe('an add-on', () => {
  it('gives its own access beside that of the base plan, whichever of the two the store tells first', () => {
    for (const command of [both, said(now, coach, [base])])
      expect(lived(command).view(p1)).toMatchObject({
        subscriptions: { 'pro.monthly': { isActive: true }, coach: { isActive: true } },
        accessLevels: { premium: { sourceProductId: 'pro.monthly' }, coaching: { sourceProductId: 'coach' } },
      });
  });

  it('ends by itself: at its own date, or once the store tells of it no more', () => {
    const short = said(now, base, [{ ...coach, expiresAt: now + 7 * day, willRenew: false }]);
    const { view } = lived(short);
    expect(view(p1, now + 7 * day - 1).accessLevels['coaching']).toMatchObject({ isActive: true, willRenew: false });
    expect(view(p1, now + 7 * day)).toMatchObject({
      accessLevels: { coaching: { isActive: false }, premium: { isActive: true, willRenew: true } },
    });
    expect(Object.keys(lived(short, said(now + 1, base, [])).view(p1).accessLevels)).toEqual(['premium']);
  });

  it('goes on where the base plan ends', () => {
    const { view } = lived(both, said(now + 1, { ...base, status: 'expired', willRenew: false }, [coach]));
    expect(view(p1)).toMatchObject({
      ...{ state: 'subscribed', paid: true },
      accessLevels: { premium: { isActive: false }, coaching: { isActive: true } },
    });
  });

  it('was active first when it was bought, and renewed when its own order came', () => {
    const renewal = bought('GPA.1..0', { purchasedAt: now + 30 * day, startsAt: now + 30 * day });
    const renewed = said(now + 30 * day, { ...base, transactionId: 'GPA.1..0' }, [coach], [...orders, renewal]);
    const { subscriptions } = lived(both, renewed).view(p1, now + 30 * day);
    expect(subscriptions['coach']).toMatchObject({ activatedAt: iso(now + 1), renewedAt: null });
    expect(subscriptions['pro.monthly']).toMatchObject({ activatedAt: iso(now), renewedAt: iso(now + 30 * day) });
  });

  it('is renewed by an order of its own where its first one paid for both', () => {
    const { productId, basePlanId, offerId, phase, startsAt, expiresAt } = bought('', { productId: 'coach' });
    const first = bought('GPA.1', { addOns: [{ productId, basePlanId, offerId, phase, startsAt, expiresAt }] });
    const renewal = bought('GPA.2', { productId, purchasedAt: now + 30 * day, startsAt: now + 30 * day });
    const renewed = said(now + 30 * day, base, [{ ...coach, transactionId: 'GPA.2' }], [first, renewal]);
    const { labels } = lived(said(now, base, [{ ...coach, transactionId: 'GPA.1' }], [first]), renewed);
    expect(labels).toEqual(['subscription_started', 'subscription_renewed']);
  });

  it('has its part of an order that paid for both', () => {
    const part = {
      productId: 'coach',
      basePlanId: null,
      offerId: null,
      phase: 'trial',
      startsAt: now,
      expiresAt: now + day,
    } as const;
    const renewedPart = { ...part, phase: 'regular', startsAt: now + 30 * day } as const;
    const later = { purchasedAt: now + 30 * day, startsAt: now + 30 * day };
    const [first, second] = [
      bought('GPA.1', { addOns: [part] }),
      bought('GPA.1..0', { addOns: [renewedPart], ...later }),
    ];
    const trial = { ...coach, transactionId: 'GPA.1', status: 'trial' } as const;
    const begun = lived(said(now, base, [trial], [first])).view(p1).subscriptions;
    expect(begun['coach']).toMatchObject({ activeIntroductoryOfferType: 'free_trial', renewedAt: null });
    expect(begun['pro.monthly']).toMatchObject({ activeIntroductoryOfferType: null });
    const { subscriptions } = lived(
      said(now, base, [trial], [first]),
      said(now + 30 * day, base, [{ ...coach, transactionId: 'GPA.1..0' }], [second]),
    ).view(p1, now + 30 * day);
    expect(subscriptions['coach']).toMatchObject({ activatedAt: iso(now), renewedAt: iso(now + 30 * day) });
  });

  it('ends for a former owner with the rest', () => {
    const taken = observe(observed({ ...both.body.observation, observedAt: now + day }), {
      claim: claimBy(p2, { source: 'restore' }),
    });
    const gone = observe(observed({ store: 'play_store', observedAt: now + 2 * day, subscription: base }));
    const { view } = lived(both, taken, gone);
    expect(view(p1).subscriptions).toMatchObject({
      'pro.monthly': { isActive: false, expiresAt: iso(taken.issuedAt) },
      coach: { isActive: false, expiresAt: iso(taken.issuedAt) },
    });
  });

  it('is told with the subscription: by one event, that names what is new of either', () => {
    const off = { ...coach, willRenew: false };
    const { events, labels } = lived(both, said(now + 1, base, [coach]), said(now + 2, base, [off]));
    const told = events.filter(({ type }) => type.startsWith('Subscription'));
    expect(told).toMatchObject([
      { type: 'SubscriptionChanged', body: { subscription: base, addOns: [coach] } },
      { type: 'SubscriptionConfirmed' },
      { type: 'SubscriptionChanged', body: { chainId, addOns: [off], labels: ['subscription_renewal_cancelled'] } },
    ]);
    expect(labels).toEqual(['subscription_started', 'subscription_started', 'subscription_renewal_cancelled']);
  });

  it('is no change of product, though it takes the base plan’s place', () => {
    expect(lived(both, said(now + 1, coach, [base])).labels).not.toContain('product_changed');
    expect(lived(both, said(now + 1, { ...base, productId: 'pro.yearly' }, [coach])).labels).toContain(
      'product_changed',
    );
  });

  it('is charged with the subscription: the next period costs what all that renew cost', () => {
    const euros = { renewalPrice: { amount: '10', currency: 'EUR' } };
    const renewalUsd = (...addOns: SubscriptionFact[]) =>
      lived(said(now, { ...base, renewalPrice: usd('9.99') }, addOns)).chain.renewalUsd;
    expect(renewalUsd({ ...coach, ...euros })).toBe('21.49');
    expect(renewalUsd({ ...coach, willRenew: false })).toBe('9.99');
    expect(renewalUsd({ ...coach, renewalPrice: { amount: '1', currency: 'GBP' } })).toBeUndefined();
  });

  it('is charged on its own day: the next charge is what falls due first', () => {
    const year = 365 * 86_400_000;
    const monthly = { ...coach, renewalPrice: usd('3') };
    const yearly = { ...base, renewalPrice: usd('59.99'), expiresAt: now + year };
    const renewalUsd = (addOn: SubscriptionFact) => lived(said(now, yearly, [addOn])).chain.renewalUsd;
    expect(renewalUsd(monthly)).toBe('3');
    expect(renewalUsd({ ...monthly, expiresAt: yearly.expiresAt })).toBe('62.99');
  });

  it('is charged with an amount that nobody knows, where one that falls due then has no price', () => {
    const next = (addOn: SubscriptionFact) =>
      lived(said(now, { ...base, renewalPrice: usd('9.99') }, [addOn])).chain.renewalUsd;
    const until = base.expiresAt ?? 0;
    expect(next({ ...coach, expiresAt: until })).toBeUndefined();
    expect(next({ ...coach, expiresAt: until - 1 })).toBeUndefined();
    expect(next({ ...coach, expiresAt: until + 1 })).toBe('9.99');
  });
});

describe('what a Stripe invoice sold once, beside a subscription', () => {
  const part = { basePlanId: null, offerId: null, phase: 'regular', startsAt: now, expiresAt: null } as const;
  const asBefore = { ...part, productId: 'lifetime' };
  const soldOnce = { ...asBefore, isOneTime: true };
  const fee = { ...part, productId: 'setup', isOneTime: true };
  const billed = (more: Partial<TransactionFact> = {}) => bought('in_1', { addOns: [soldOnce, fee], ...more });
  const subscription = standing({ transactionId: 'in_1' });
  const told = (transaction: TransactionFact, more: Partial<ObservedPurchase> = {}) =>
    observe(observed({ ...{ store: 'stripe', subscription, observedAt: now }, transactions: [transaction], ...more }), {
      accountProfileId: p1,
    });
  const ended = { ...standing({ transactionId: 'in_1' }), status: 'expired', willRenew: false } as const;

  it('gives its access for life, also once the subscription has ended; what no catalog knows is a fee', () => {
    const { view } = lived(told(billed()), told(billed(), { subscription: ended, observedAt: now + 1 }));
    expect(view(p1)).toMatchObject({
      paid: true,
      accessLevels: { premium: { isActive: true, isLifetime: true, sourceProductId: 'lifetime', expiresAt: null } },
      subscriptions: { 'pro.monthly': { isActive: false } },
    });
    expect(view(p1).nonSubscriptions).toEqual({ lifetime: expect.objectContaining({ transactionId: 'in_1' }) });
  });

  it('is gone once all of the invoice was given back', () => {
    const { view } = lived(
      told(billed()),
      told(billed(), { subscription: ended, observedAt: now + 1, refunds: [refunded('in_1', now + 1)] }),
    );
    expect(view(p1)).toMatchObject({
      accessLevels: { premium: { isActive: false } },
      nonSubscriptions: { lifetime: { isRefund: true } },
    });
  });

  describe('and a refund of a part takes back', () => {
    const given = refunded('in_1', now + 1, { refundId: 're_1', amount: usd('4.99') });
    const back = { ...given, products: ['lifetime'] };
    const saying = (at: number, refund: RefundFact, more: Partial<ObservedPurchase> = {}) =>
      told(billed(), { observedAt: now + at, refunds: [refund], ...more });
    const heldAfter = (...commands: readonly ObservePurchase[]) => {
      const { chain, view } = lived(told(billed()), ...commands);
      const { totalRevenueUsd, nonSubscriptions, accessLevels } = view(p1, now + 60 * day);
      expect(chain.movements).toHaveLength(commands.some(({ body }) => body.observation.failedRefunds) ? 3 : 2);
      return [totalRevenueUsd, nonSubscriptions['lifetime']?.isRefund, accessLevels['premium']?.isActive];
    };

    it('is gone, and the subscription is not, where that says that it was the part', () => {
      expect(heldAfter(saying(1, back, { subscription: ended }))).toEqual([5, true, false]);
      expect(lived(told(billed()), saying(1, back)).view(p1)).toMatchObject({
        accessLevels: { premium: { isActive: true, isLifetime: false } },
        nonSubscriptions: { lifetime: { isRefund: true } },
      });
    });

    it('is gone also where that is said later, and its money goes back once', () =>
      expect(heldAfter(saying(1, given, { subscription: ended }), saying(2, back, { subscription: ended }))).toEqual([
        ...[5, true, false],
      ]));

    it('stays where nothing says what the money was for', () =>
      expect(heldAfter(saying(1, given, { subscription: ended }))).toEqual([5, false, true]));

    it('is there again where the refund failed', () =>
      expect(
        heldAfter(
          saying(1, back, { subscription: ended }),
          saying(2, back, { subscription: ended, failedRefunds: ['re_1'] }),
        ),
      ).toEqual([9.99, false, true]));
  });

  it('is none as long as a part of the invoice is owed', () =>
    expect(lived(told(billed({ buysPeriod: false }))).view(p1).nonSubscriptions).toEqual({}));

  it('is known also of an invoice that was told before anybody said so', () => {
    const { view } = lived(told(billed({ addOns: [asBefore] })), told(billed(), { observedAt: now + 1 }));
    expect(Object.keys(view(p1).nonSubscriptions)).toEqual(['lifetime']);
  });
});

it('what is told without add-ons is told as before there were any', () => {
  const { events } = lived(observe(observed({ transactions: [bought('2000')], subscription: standing() })));
  for (const { body } of events) expect(JSON.stringify(body)).not.toContain('addOns');
});

const iso = (time: number) => new Date(time).toISOString();
