import { describe, expect, it } from '@jest/globals';
import { CatalogDocument, type Store, type SubscriptionFact, type TransactionFact } from '@paywright/contracts';
import fc from 'fast-check';
import { type Chain, emptyChain } from '../chain/chain.ts';
import { purchaseViewOf } from './purchase-view.ts';
import type { SoldProducts } from './sold-product.ts';

const day = 86_400_000;
const now = Date.UTC(2026, 10, 20, 12);
const [p1, p2] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];

const product = (id: string, accessLevel: string | null, blocks: object) => ({
  id,
  name: id,
  period: 'monthly',
  accessLevel,
  ...blocks,
});
const { products } = CatalogDocument.parse({
  products: [
    product('monthly', 'premium', { appStore: { productId: 'pro' }, playStore: { productId: 'pro', basePlanId: 'm' } }),
    product('yearly', 'gold', { appStore: { productId: 'pro.y' }, playStore: { productId: 'pro', basePlanId: 'y' } }),
    product('stripe', 'premium', { stripe: { productId: 'prod_1', priceId: 'price_1' } }),
    product('coins', 'premium', { appStore: { productId: 'coins' }, isConsumable: true }),
    product('lifetime', 'premium', {
      ...{ appStore: { productId: 'life' }, playStore: { productId: 'life' } },
      stripe: { productId: 'life', priceId: 'price_life' },
    }),
    product('badge', null, { appStore: { productId: 'badge' } }),
    product('gems', null, { appStore: { productId: 'gems' }, isConsumable: true }),
  ],
});

const bought = (transactionId: string, more: Partial<TransactionFact> = {}): TransactionFact => ({
  transactionId,
  kind: 'subscription',
  productId: 'pro',
  basePlanId: null,
  offerId: null,
  phase: 'regular',
  purchasedAt: now - day,
  startsAt: now - day,
  expiresAt: now + 29 * day,
  price: { amount: '9.99', currency: 'USD' },
  isEstimate: false,
  isFamilyShared: false,
  isUpgraded: false,
  ...more,
});

const fact = (more: Partial<SubscriptionFact> = {}): SubscriptionFact => ({
  status: 'active',
  productId: 'pro',
  basePlanId: null,
  offerId: null,
  transactionId: 't1',
  startsAt: now - day,
  expiresAt: now + 29 * day,
  graceExpiresAt: null,
  isOpenEnded: false,
  willRenew: true,
  renewsAs: null,
  unsubscribedAt: null,
  billingIssueAt: null,
  cancellationReason: null,
  ...more,
});

let chains = 0;
const chain = (transactions: readonly TransactionFact[], more: Partial<Chain> = {}): Chain => ({
  ...emptyChain,
  chainId: `${String(++chains).padStart(8, '0')}-0000-8000-8000-000000000000`,
  store: 'app_store',
  environment: 'production',
  owner: p1,
  payer: p1,
  transactions: Object.fromEntries(transactions.map((one) => [one.transactionId, one])),
  ...more,
});
const subscribed = (more: Partial<SubscriptionFact> = {}, of: Partial<Chain> = {}, transactions = [bought('t1')]) =>
  chain(transactions, { subscription: fact(more), ...of });
const owned = (productId: string, more: Partial<TransactionFact> = {}, of: Partial<Chain> = {}) =>
  chain([bought('t1', { kind: 'one_time', productId, expiresAt: null, ...more })], of);
const view = (
  held: readonly Chain[],
  at = now,
  profileId = p1,
  sold: SoldProducts = { current: products, archived: [] },
) => purchaseViewOf(profileId, held, sold, at);

it('is empty for who bought nothing', () => {
  expect(view([])).toEqual({
    paid: false,
    state: 'never-subscribed',
    totalRevenueUsd: 0,
    accessLevels: {},
    subscriptions: {},
    nonSubscriptions: {},
  });
});

it('shows a subscription with every field of decision 21', () => {
  const trial = bought('t0', { phase: 'trial', purchasedAt: now - 8 * day, startsAt: now - 8 * day });
  const one = subscribed({ offerId: 'o' }, { chainId: '00000000-00ff-8000-8000-000000000000' }, [trial, bought('t1')]);
  const entry = {
    createdDate: '2026-11-12T12:00:00.000Z',
    id: 255,
    isActive: true,
    sourceProductId: 'pro',
    sourceBasePlanId: null,
    store: 'app_store',
    activatedAt: '2026-11-12T12:00:00.000Z',
    isLifetime: false,
    isRefund: false,
    willRenew: true,
    isInGracePeriod: false,
    cancellationReason: null,
    offerId: 'o',
    startsAt: '2026-11-19T12:00:00.000Z',
    renewedAt: '2026-11-19T12:00:00.000Z',
    expiresAt: '2026-12-19T12:00:00.000Z',
    activeIntroductoryOfferType: null,
    activePromotionalOfferType: null,
    activePromotionalOfferId: null,
    unsubscribedAt: null,
    billingIssueDetectedAt: null,
  };
  expect(view([one])).toMatchObject({ subscriptions: { pro: entry }, accessLevels: { premium: entry } });
});

it('is active since the purchase that a renewal names, where nothing before that renewal was told', () => {
  const renewal = bought('t9', { originallyPurchasedAt: now - 365 * day });
  const { pro } = view([subscribed({}, {}, [renewal])]).subscriptions;
  expect(pro).toMatchObject({ activatedAt: '2025-11-20T12:00:00.000Z', renewedAt: '2026-11-19T12:00:00.000Z' });
});

it('is not renewed by what was paid for the rest of a period, and is by what renews it afterwards', () => {
  const more = bought('t2', { phase: 'prorated', purchasedAt: now, startsAt: now });
  const renewal = bought('t3', { purchasedAt: now + 29 * day, startsAt: now + 29 * day, expiresAt: now + 59 * day });
  const renewedAt = (...paid: TransactionFact[]) =>
    view([subscribed({}, {}, paid)], now + 50 * day).subscriptions['pro']?.renewedAt;
  expect(renewedAt(bought('t1'), more)).toBeNull();
  const trial = (id: string) => bought(id, { phase: 'trial', purchasedAt: now, startsAt: now });
  expect(renewedAt(bought('t1', { phase: 'trial' }), trial('t2'))).toBeNull();
  expect(renewedAt(bought('t1', { phase: 'trial' }), trial('t2'), renewal)).toBe(
    new Date(now + 29 * day).toISOString(),
  );
  expect(renewedAt(bought('t1'), more, renewal)).toBe(new Date(now + 29 * day).toISOString());
  const again = bought('t4', { phase: 'prorated', purchasedAt: now + 40 * day, startsAt: now + 40 * day });
  expect(renewedAt(bought('t1'), renewal, again)).toBe(new Date(now + 29 * day).toISOString());
});

describe('another plan in the middle of a period', () => {
  const since = { purchasedAt: now, startsAt: now, expiresAt: now + 30 * day };
  const later = { purchasedAt: now + 30 * day, startsAt: now + 30 * day, expiresAt: now + 60 * day };
  const yearly = { productId: 'pro.y', ...since };
  const renewedAt = (store: Store, ...paid: TransactionFact[]) =>
    view([subscribed({ productId: 'pro.y', transactionId: 't2' }, { store }, paid)], now + 50 * day).subscriptions[
      'pro.y'
    ]?.renewedAt;

  it.each<[string, Store, Partial<TransactionFact>, Partial<TransactionFact>]>([
    ['as an upgrade in the App Store', 'app_store', { isUpgraded: true }, yearly],
    ['as an upgrade of which the former plan does not tell yet', 'app_store', {}, yearly],
    ['at Play, where Google says so', 'play_store', {}, { ...yearly, isPlanChange: true, originallyPurchasedAt: now }],
    ['at Stripe', 'stripe', {}, yearly],
    [
      'at Stripe, of the same product',
      'stripe',
      { productId: 'pro.y', basePlanId: 'm' },
      { ...yearly, basePlanId: 'y' },
    ],
  ])('renews nothing, and is renewed itself: %s', (_, store, before, next) => {
    const [former, changed] = [bought('t1', before), bought('t2', next)];
    expect(renewedAt(store, former, changed)).toBeNull();
    const renewal = bought('t3', { ...next, ...later, isPlanChange: undefined, originallyPurchasedAt: now });
    expect(renewedAt(store, former, changed, renewal)).toBe(new Date(now + 30 * day).toISOString());
  });

  it('renews where it begins with the next period, and so does the same plan that begins anew', () => {
    const atItsEnd = bought('t2', { ...later, productId: 'pro.y' });
    expect(renewedAt('app_store', bought('t1'), atItsEnd)).toBe(new Date(now + 30 * day).toISOString());
    const anew = bought('t2', yearly);
    expect(renewedAt('stripe', bought('t1', { productId: 'pro.y' }), anew)).toBe(new Date(now).toISOString());
  });
});

it.each<[string, Partial<SubscriptionFact>, Partial<Chain>, number | null]>([
  ['as the store says now', { unsubscribedAt: now }, { switchedOffAt: now + 1 }, now],
  ['as the App Store once said', {}, { renewingAt: now - 1, switchedOffAt: now }, now],
  ['before anything was kept of that', {}, {}, null],
  ['unknown, where it renewed since', {}, { renewingAt: now + 1, switchedOffAt: now }, null],
  ['over, where it renews', { willRenew: true }, { switchedOffAt: now }, null],
  ['unknown, where another store does not say', {}, { store: 'play_store', switchedOffAt: now }, null],
])('tells when renewal was switched off: %s', (_, said, known, expected) => {
  const { pro } = view([subscribed({ willRenew: false, ...said }, known)]).subscriptions;
  expect(pro?.unsubscribedAt).toBe(expected && new Date(expected).toISOString());
});

describe('time alone', () => {
  it('ends a subscription at the millisecond at which it runs out', () => {
    const end = now + 29 * day;
    expect(view([subscribed()], end - 1)).toMatchObject({ paid: true, state: 'subscribed' });
    expect(view([subscribed()], end)).toMatchObject({ paid: false, state: 'subscription-cancelled' });
    expect(view([subscribed()], end).subscriptions['pro']).toMatchObject({ isActive: false, willRenew: false });
  });

  it('ends no retries of which no period is known', () => {
    expect(view([subscribed({ status: 'billing_retry', expiresAt: null })]).state).toBe('billing-issue');
  });

  it('makes grace of a known grace, and billing retry of its end', () => {
    const grace = { graceExpiresAt: now + 32 * day };
    expect(view([subscribed(grace)], now + 30 * day)).toMatchObject({ paid: true, state: 'grace-period' });
    expect(view([subscribed({ ...grace, status: 'grace' })], now + 32 * day)).toMatchObject({
      paid: false,
      state: 'billing-issue',
    });
  });

  it('ends retries 60 days behind the period, though nobody told', () => {
    const retry = subscribed({ status: 'billing_retry', cancellationReason: 'billing_error' });
    const end = now + 89 * day;
    expect(view([retry], end - 1).state).toBe('billing-issue');
    expect(view([retry], end)).toMatchObject({
      state: 'subscription-cancelled',
      subscriptions: { pro: { willRenew: false, cancellationReason: 'billing_error' } },
    });
  });

  it('ends a grace of which nothing more was told as it ends retries', () => {
    const grace = subscribed({ status: 'grace', graceExpiresAt: now + 35 * day });
    expect(view([grace], now + 34 * day)).toMatchObject({ state: 'grace-period' });
    expect(view([grace], now + 36 * day)).toMatchObject({ state: 'billing-issue' });
    expect(view([grace], now + 89 * day)).toMatchObject({ state: 'subscription-cancelled' });
  });

  it('does not end what is open-ended', () => {
    const pastDue = subscribed({ status: 'grace', isOpenEnded: true }, { store: 'stripe' });
    expect(view([pastDue], now + 300 * day)).toMatchObject({ paid: true, state: 'grace-period' });
  });

  it('never gives access back: once lost without news, it stays lost', () => {
    const status = fc.constantFrom<SubscriptionFact['status']>(
      'trial',
      'intro',
      'active',
      'grace',
      'billing_retry',
      'paused',
    );
    const ends = fc.option(fc.integer({ min: 0, max: 60 }).map((days) => now + days * day));
    fc.assert(
      fc.property(
        status,
        ends,
        ends,
        fc.constantFrom<Store>('app_store', 'play_store', 'stripe'),
        (state, expiresAt, graceExpiresAt, store) => {
          const one = subscribed({ status: state, expiresAt, graceExpiresAt }, { store });
          const active = Array.from(
            { length: 62 },
            (_, days) => view([one], now + days * day).subscriptions['pro']?.isActive,
          );
          expect(active.lastIndexOf(true)).toBe(active.filter(Boolean).length - 1);
        },
      ),
    );
  });
});

describe('state and paid', () => {
  it.each<[string, boolean, Partial<SubscriptionFact>, TransactionFact['phase']]>([
    ['subscribed', true, {}, 'regular'],
    ['subscribed', true, { status: 'intro' }, 'intro'],
    ['active-trial', false, { status: 'trial' }, 'trial'],
    ['auto-renew-off', false, { status: 'trial', willRenew: false }, 'trial'],
    ['auto-renew-off', true, { willRenew: false }, 'regular'],
    ['grace-period', true, { status: 'grace' }, 'regular'],
    ['grace-period', false, { status: 'grace' }, 'trial'],
    ['billing-issue', false, { status: 'billing_retry' }, 'regular'],
    ['trial-cancelled', false, { status: 'expired' }, 'trial'],
    ['subscription-cancelled', false, { status: 'expired' }, 'regular'],
    ['subscription-cancelled', false, { status: 'paused', expiresAt: now - 1 }, 'regular'],
    ['never-subscribed', false, { status: 'pending' }, 'regular'],
    ['never-subscribed', false, { status: 'unknown' }, 'regular'],
  ])('%s, paid %s: %j after a %s period', (state, paid, of, phase) =>
    expect(view([subscribed(of, {}, [bought('t1', { phase })])])).toMatchObject({ state, paid }),
  );

  it('of a pause: at Play from the end of the period on, at Stripe at once', () => {
    const paused = { status: 'paused' } as const;
    expect(view([subscribed(paused, { store: 'play_store' })])).toMatchObject({ state: 'subscribed', paid: true });
    expect(view([subscribed(paused, { store: 'stripe' })])).toMatchObject({
      state: 'subscription-cancelled',
      paid: false,
    });
    expect(view([subscribed({ ...paused, expiresAt: now }, { store: 'play_store' })])).toMatchObject({
      state: 'subscription-cancelled',
      paid: false,
    });
    const tried = subscribed(paused, { store: 'play_store' }, [bought('t1', { phase: 'trial' })]);
    expect(view([tried])).toMatchObject({ state: 'active-trial', paid: false });
  });

  it('are those of the best of several subscriptions', () => {
    const expired = subscribed({ status: 'expired' });
    expect(view([expired, subscribed({ status: 'billing_retry' })]).state).toBe('billing-issue');
    expect(view([subscribed({ willRenew: false }), subscribed({ status: 'trial' }), expired]).state).toBe(
      'active-trial',
    );
  });

  it('in a grace that names no period are those of the period before', () => {
    const first = bought('t0', { phase: 'trial', purchasedAt: now - 9 * day });
    expect(view([subscribed({ status: 'grace', transactionId: null }, {}, [first, bought('t1')])]).paid).toBe(true);
  });

  it('never-subscribed is who never paid for what was never begun', () => {
    expect(view([subscribed({ status: 'expired', transactionId: null }, {}, [])]).state).toBe('never-subscribed');
    expect(view([subscribed({ status: 'expired', transactionId: null }, {}, [])]).subscriptions).toEqual({});
    expect(view([subscribed({ status: 'expired' }, {}, [])]).state).toBe('subscription-cancelled');
  });

  it('list what the store tells of, though it names no transaction, and what was bought once', () => {
    const nameless = { transactionId: null };
    expect(view([subscribed(nameless, {}, [])])).toMatchObject({
      paid: true,
      subscriptions: { pro: { isActive: true } },
    });
    const ended = subscribed({ status: 'expired', ...nameless });
    expect(view([ended]).subscriptions).toMatchObject({ pro: { isActive: false } });
  });

  it('list nothing that waits for its first payment', () => {
    expect(view([subscribed({ status: 'pending' })])).toMatchObject({ accessLevels: {}, subscriptions: {} });
  });

  it('know no period of which only a part was paid', () => {
    const trial = bought('t1', { phase: 'trial', price: { amount: '0', currency: 'USD' } });
    const part = bought('t2', { purchasedAt: now, startsAt: now, buysPeriod: false });
    const after = (more: Partial<SubscriptionFact>, transactions: TransactionFact[]) =>
      view([subscribed(more, { store: 'stripe' }, transactions)]);
    expect(after({ status: 'expired' }, [trial, part]).state).toBe('trial-cancelled');
    expect(after({ status: 'expired', transactionId: null }, [part]).state).toBe('never-subscribed');
    expect(after({ status: 'grace', isOpenEnded: true, transactionId: null }, [part]).paid).toBe(false);
    expect(after({ status: 'grace', isOpenEnded: true }, [bought('t1'), part]).subscriptions['pro']).toMatchObject({
      activatedAt: '2026-11-19T12:00:00.000Z',
      renewedAt: null,
    });
  });

  it('leave out sandbox and family, which still give access', () => {
    for (const one of [
      subscribed({}, { environment: 'sandbox' }),
      subscribed({}, {}, [bought('t1', { isFamilyShared: true })]),
    ]) {
      expect(view([one])).toMatchObject({ paid: false, state: 'never-subscribed' });
      expect(view([one]).accessLevels['premium']).toMatchObject({ isActive: true });
    }
    const untold = (...transactions: TransactionFact[]) =>
      view([subscribed({ transactionId: 't9' }, {}, transactions)]);
    const shared = bought('t0', { isFamilyShared: true, purchasedAt: now - 9 * day });
    expect([untold(shared).paid, untold(shared, bought('t1')).paid]).toEqual([false, true]);
    expect(view([subscribed({ transactionId: 't0' }, {}, [shared, bought('t1')])]).paid).toBe(false);
    const sandbox = owned('life', {}, { environment: 'sandbox' });
    expect(view([sandbox])).toMatchObject({ paid: false, accessLevels: { premium: { isActive: true } } });
  });
});

it('is not paid as long as nothing was, as where Stripe sends an invoice and waits', () => {
  const awaited = { transactionId: null };
  const open = (more: Partial<SubscriptionFact>) =>
    view([subscribed({ ...awaited, ...more }, { store: 'stripe' }, [])]);
  expect(open({})).toMatchObject({ paid: false, state: 'subscribed', subscriptions: { pro: { isActive: true } } });
  expect(open({ status: 'grace', isOpenEnded: true })).toMatchObject({ paid: false, state: 'grace-period' });
  expect(view([subscribed({}, { store: 'stripe' })]).paid).toBe(true);
  const tried = [bought('t1', { phase: 'trial' })];
  expect(view([subscribed({}, { store: 'stripe' }, tried)]).paid).toBe(false);
  expect(view([subscribed({}, { store: 'app_store' }, tried)]).paid).toBe(true);
});

describe('what cost nothing', () => {
  it.each(['app_store', 'play_store', 'stripe'] as const)('is access and no payment (%s)', (store) => {
    const free = (more: Partial<SubscriptionFact> = {}) =>
      view([subscribed(more, { store }, [bought('t1', { isFree: true })])]);
    expect(free()).toMatchObject({ paid: false, state: 'subscribed', subscriptions: { pro: { isActive: true } } });
    expect(free({ status: 'grace' })).toMatchObject({ paid: false, state: 'grace-period' });
    expect(free({ status: 'expired' })).toMatchObject({ paid: false, state: 'subscription-cancelled' });
    const before = bought('t0', { purchasedAt: now - 31 * day, startsAt: now - 31 * day, expiresAt: now - day });
    expect(view([subscribed({}, { store }, [before, bought('t1', { isFree: true })])]).paid).toBe(false);
    expect(view([subscribed({}, { store }, [{ ...before, isFree: true }, bought('t1')])]).paid).toBe(true);
  });

  it('is told of each product that was bought together', () => {
    const part = (productId: string, more: object) => ({
      ...{ productId, basePlanId: null, offerId: null, phase: 'regular' as const, startsAt: now - day },
      ...{ expiresAt: null, ...more },
    });
    const addOn = fact({ productId: 'pro.y' });
    const both = (more: object) =>
      view([
        subscribed({}, { addOns: [addOn] }, [
          bought('t1', { isFree: true, addOns: [part('pro.y', { expiresAt: now + day, ...more })] }),
        ]),
      ]);
    expect(both({}).paid).toBe(true);
    expect(both({ isFree: true }).paid).toBe(false);
  });
});

it('is not paid, and has access, while the app forgoes the payment of a period that Stripe goes on with', () => {
  const paid = [bought('t1', { startsAt: now - 40 * day, expiresAt: now - 10 * day })];
  expect(view([subscribed({ transactionId: null }, { store: 'stripe' }, paid)])).toMatchObject({
    ...{ paid: false, state: 'subscribed' },
    subscriptions: { pro: { isActive: true, willRenew: true, isRefund: false } },
  });
});

it('starts with its period, though seats were added to that since', () => {
  const former = bought('t1', { startsAt: now - 40 * day, expiresAt: now - 10 * day });
  const base = bought('t2', { startsAt: now - 10 * day, expiresAt: now + 20 * day });
  const added = bought('t3', { phase: 'prorated', startsAt: now - day, expiresAt: now + 20 * day });
  const startOf = (store: Store, ...transactions: TransactionFact[]) =>
    view([subscribed({ transactionId: 't3', startsAt: added.startsAt }, { store }, transactions)]).subscriptions.pro
      ?.startsAt;
  expect(startOf('app_store', former, base, added)).toBe(new Date(base.startsAt).toISOString());
  // Where the period is not told of, or a change of plan began one of its own.
  expect(startOf('app_store', former, added)).toBe(new Date(added.startsAt).toISOString());
  expect(startOf('play_store', former, base, added)).toBe(new Date(added.startsAt).toISOString());
});

it('starts and is renewed when a period begins, though that is bought before, as a prepaid plan is topped up', () => {
  const first = bought('t1', { startsAt: now - 20 * day, expiresAt: now + 10 * day });
  const topUp = bought('t2', { startsAt: now + 10 * day, expiresAt: now + 40 * day, originallyPurchasedAt: now });
  const toppedUp = (...transactions: TransactionFact[]) =>
    subscribed(
      { transactionId: 't2', startsAt: topUp.startsAt, expiresAt: topUp.expiresAt },
      { store: 'play_store' },
      transactions,
    );
  const told = (at: number, ...transactions: TransactionFact[]) => {
    const { startsAt, renewedAt, expiresAt } = view([toppedUp(...transactions)], at).subscriptions.pro!;
    return [startsAt, renewedAt, expiresAt].map((time) => time && (Date.parse(time) - now) / day);
  };
  expect(told(now, first, topUp)).toEqual([-20, null, 40]);
  expect(told(now + 10 * day, first, topUp)).toEqual([10, 10, 40]);
  expect(told(now, topUp)).toEqual([10, null, 40]);
});

it('is as it was until the next period begins, though that is of another plan and was charged before', () => {
  const offer = { kind: 'introductory', type: 'pay_as_you_go' } as const;
  const first = bought('t1', { startsAt: now - 29 * day, expiresAt: now + day, offer });
  const next = bought('t2', { productId: 'basic', startsAt: now + day, expiresAt: now + 31 * day });
  const { startsAt, expiresAt } = next;
  const renewed = subscribed({ productId: 'basic', transactionId: 't2', startsAt, expiresAt }, {}, [first, next]);
  const running = { sourceProductId: 'pro', isActive: true, willRenew: true, activeIntroductoryOfferType: offer.type };
  expect(view([renewed])).toMatchObject({
    ...{ state: 'subscribed', paid: true },
    subscriptions: { pro: { ...running, expiresAt: new Date(now + day).toISOString() } },
    accessLevels: { premium: running },
  });
  expect(Object.keys(view([renewed]).subscriptions)).toEqual(['pro']);
  expect(Object.keys(view([renewed], now + day).subscriptions)).toEqual(['basic']);
  const cutShort = { ...first, expiresAt: startsAt + 1 };
  const upgraded = subscribed({ productId: 'basic', transactionId: 't2', startsAt, expiresAt }, {}, [cutShort, next]);
  expect(Object.keys(view([upgraded]).subscriptions)).toEqual(['basic']);
});

it('is renewed at the end of a period that is charged behind it, as what is metered is', () => {
  const behind = (id: string, endsAt: number): TransactionFact =>
    bought(id, { startsAt: endsAt - 30 * day, expiresAt: endsAt, purchasedAt: endsAt, isInArrears: true });
  const renewedAt = (...transactions: TransactionFact[]) =>
    view([subscribed({}, { store: 'stripe' }, transactions)]).subscriptions.pro?.renewedAt;
  const [first, second] = [now - 40 * day, now - 10 * day];
  expect(renewedAt(behind('t1', first))).toBe(new Date(first).toISOString());
  expect(renewedAt(behind('t0', first), behind('t1', second))).toBe(new Date(second).toISOString());
});

describe('what the store took back', () => {
  const refund = { refundId: 'r', transactionId: 't1', refundedAt: now, amount: null, reason: null };

  it('at the App Store ends the current period, though the status be active', () => {
    const one = subscribed({}, { refunds: { r: refund } });
    expect(view([one])).toMatchObject({ paid: false, state: 'subscription-cancelled' });
    expect(view([one]).subscriptions['pro']).toMatchObject({ isRefund: true, cancellationReason: 'refund' });
    const part = { ...refund, amount: { amount: '3', currency: 'USD' } };
    expect(view([subscribed({}, { refunds: { r: part } })])).toMatchObject({ paid: false });
    expect(view([subscribed({}, { refunds: { r: { ...refund, transactionId: 't0' } } })]).paid).toBe(true);
    expect(view([subscribed({}, { refunds: { r: refund }, reversedAt: { t1: now + 1 } })]).paid).toBe(true);
  });

  it('at the App Store of single items leaves the purchase, until the store takes that too', () => {
    const refunds = { r: { ...refund, amount: { amount: '9.99', currency: 'USD' }, isOfItem: true } };
    const held = { isActive: true, isRefund: false, cancellationReason: null };
    expect(view([subscribed({}, { refunds })])).toMatchObject({ paid: true, subscriptions: { pro: held } });
    expect(view([owned('life', {}, { refunds })])).toMatchObject({ paid: true, accessLevels: { premium: held } });
    const gone = { isActive: false, isRefund: true, cancellationReason: 'refund' };
    const revokedAt = { t1: now };
    const ended = subscribed({ status: 'revoked', willRenew: false }, { refunds, revokedAt });
    expect(view([ended])).toMatchObject({ paid: false, subscriptions: { pro: gone } });
    expect(view([owned('life', {}, { refunds, revokedAt })]).accessLevels).toMatchObject({ premium: gone });
    expect(view([owned('life', {}, { refunds: { ...refunds, w: refund } })]).paid).toBe(false);
  });

  it.each([
    [['t2'], true],
    [['t1'], true],
    [['t1', 't2'], true],
    [['t1', 't2', 't3'], false],
    [['t0', 't2'], true],
  ])('at the App Store of %j ends no period that seats were added to, before the last of them: %s', (ids, isActive) => {
    const refunds = Object.fromEntries(ids.map((transactionId) => [transactionId, { ...refund, transactionId }]));
    const added = bought('t2', { phase: 'prorated', purchasedAt: now, startsAt: now });
    const former = bought('t0', { startsAt: now - 31 * day, purchasedAt: now - 31 * day, expiresAt: now - day });
    const seats = [former, bought('t1'), added, { ...added, transactionId: 't3' }];
    for (const transactionId of ['t1', 't2'])
      expect(view([subscribed({ transactionId }, { refunds }, seats)])).toMatchObject({
        paid: isActive,
        subscriptions: { pro: { isActive, isRefund: !isActive } },
      });
  });

  it('at Play and Stripe leaves access to the status', () => {
    const refunds = { r: refund };
    expect(view([subscribed({}, { store: 'stripe', refunds })]).state).toBe('subscribed');
    for (const status of ['expired', 'revoked'] as const) {
      const ended = subscribed({ status, willRenew: false }, { store: 'stripe', refunds });
      expect(view([ended]).subscriptions['pro']).toMatchObject({ isRefund: true, cancellationReason: 'refund' });
    }
  });

  it('without money ends access too', () => {
    expect(view([subscribed({}, { revokedAt: { t1: now } })]).accessLevels['premium']).toMatchObject({
      isActive: false,
    });
    expect(view([owned('life', {}, { revokedAt: { t1: now } })])).toMatchObject({
      paid: false,
      accessLevels: { premium: { isActive: false, cancellationReason: 'unknown' } },
    });
  });

  it('of a one-time purchase is its access for life', () => {
    expect(view([owned('life', {}, { refunds: { r: refund } })])).toMatchObject({
      paid: false,
      accessLevels: { premium: { isActive: false, isRefund: true, cancellationReason: 'refund' } },
      nonSubscriptions: { life: { isRefund: true } },
    });
  });

  describe('of a one-time purchase at Stripe', () => {
    const store = 'stripe';
    const part = (amount: string, currency = 'USD') => ({ ...refund, refundId: amount, amount: { amount, currency } });
    const life = (refunds: Chain['refunds'], price: TransactionFact['price'] = { amount: '9.99', currency: 'USD' }) =>
      view([owned('life', { price }, { store, refunds })]);
    const kept = {
      paid: true,
      accessLevels: { premium: { isActive: true, isRefund: false } },
      nonSubscriptions: { life: { isRefund: false } },
    };
    const gone = {
      paid: false,
      accessLevels: { premium: { isActive: false, isRefund: true } },
      nonSubscriptions: { life: { isRefund: true } },
    };

    it('takes it back only once all that was paid went back', () => {
      expect(life({ r1: part('3') })).toMatchObject(kept);
      expect(life({ r1: part('3'), r2: part('6.98') })).toMatchObject(kept);
      expect(life({ r1: part('3'), r2: part('6.99') })).toMatchObject(gone);
      expect(life({ r1: part('9.99', 'EUR') })).toMatchObject(kept);
      expect(life({ refund })).toMatchObject(gone);
      expect(life({ r1: part('3'), refund })).toMatchObject(gone);
    });

    it('leaves it to who paid nothing for it', () => {
      expect(life({}, { amount: '0', currency: 'USD' })).toMatchObject(kept);
    });

    it('takes it back by a full refund alone where nobody told what was paid', () => {
      expect(life({}, null)).toMatchObject(kept);
      expect(life({ r1: part('3') }, null)).toMatchObject(kept);
      expect(life({ refund }, null)).toMatchObject(gone);
      expect(life({ r1: part('3'), refund }, null)).toMatchObject(gone);
    });
  });

  it('of a one-time purchase at Play is its access only where Google took that: a refund can leave it', () => {
    const life = (of: Partial<Chain>) => view([owned('life', {}, { store: 'play_store', ...of })]);
    const whole = { ...refund, amount: { amount: '9.99', currency: 'USD' } };
    for (const refunds of [{ refund }, { whole }])
      expect(life({ refunds })).toMatchObject({
        paid: true,
        accessLevels: { premium: { isActive: true, isRefund: true, cancellationReason: null } },
        nonSubscriptions: { life: { isRefund: true } },
      });
    const gone = { paid: false, accessLevels: { premium: { isActive: false, cancellationReason: 'refund' } } };
    expect(life({ refunds: { refund }, revokedAt: { t1: now } })).toMatchObject(gone);
    for (const reason of ['chargeback', 'canceled'])
      expect(life({ refunds: { refund: { ...refund, reason } } })).toMatchObject(gone);
  });
});

describe('reasons', () => {
  it.each<[Partial<SubscriptionFact>, string | null]>([
    [{}, null],
    [{ willRenew: false }, 'voluntarily_cancelled'],
    [{ willRenew: false, cancellationReason: 'price_increase' }, 'price_increase'],
    [{ status: 'expired', willRenew: false }, 'voluntarily_cancelled'],
    [{ status: 'billing_retry' }, null],
    [{ status: 'expired', willRenew: false, cancellationReason: 'billing_error' }, 'billing_error'],
    [{ expiresAt: now - 1 }, 'unknown'],
  ])('%j: %s', (of, reason) =>
    expect(view([subscribed(of)]).subscriptions['pro']).toMatchObject({ cancellationReason: reason }),
  );

  // Google says of every renewal that is off why: a plan without a reason is a prepaid one.
  it('are none of a prepaid plan that runs, which nobody cancelled, and of one that is over as of any (decision 71)', () => {
    const prepaid = subscribed({ willRenew: false, expiresAt: now + day }, { store: 'play_store' });
    const reasonAt = (at: number) => view([prepaid], at).subscriptions['pro']?.cancellationReason;
    expect(reasonAt(now)).toBeNull();
    expect(reasonAt(now + day)).toBe('voluntarily_cancelled');
    const cancelled = { willRenew: false, cancellationReason: 'voluntarily_cancelled' } as const;
    expect(view([subscribed(cancelled, { store: 'play_store' })]).subscriptions['pro']).toMatchObject(cancelled);
  });
});

describe('offers', () => {
  const offered = (more: Partial<TransactionFact>, of: Partial<SubscriptionFact> = {}) =>
    view([subscribed({ offerId: 'o', ...of }, {}, [bought('t1', { offerId: 'o', ...more })])]).subscriptions['pro'];

  it('are shown while they run', () => {
    expect(offered({ phase: 'trial' })).toMatchObject({
      activeIntroductoryOfferType: 'free_trial',
      activePromotionalOfferType: null,
      activePromotionalOfferId: null,
    });
    const promotion = { kind: 'promotional', type: 'pay_as_you_go' } as const;
    expect(offered({ phase: 'intro', offer: promotion })).toMatchObject({
      activeIntroductoryOfferType: null,
      activePromotionalOfferType: 'pay_as_you_go',
      activePromotionalOfferId: 'o',
    });
    expect(offered({ offer: promotion }, { status: 'expired' })).toMatchObject({ activePromotionalOfferType: null });
  });
});

describe('access', () => {
  it('is that of the product: of the base plan, if the catalog tells them apart', () => {
    const play = (basePlanId: string | null) =>
      Object.keys(view([subscribed({ basePlanId }, { store: 'play_store' })]).accessLevels);
    expect([play('m'), play('y'), play(null)]).toEqual([['premium'], ['gold'], ['premium']]);
    expect(play('w')).toEqual([]);
    const stripe = subscribed({ productId: 'prod_1' }, { store: 'stripe' });
    expect(Object.keys(view([stripe]).accessLevels)).toEqual(['premium']);
  });

  const levelsOf = (store: Store, basePlanId: string | null, ...made: readonly object[]) => {
    const { products: current } = CatalogDocument.parse({ products: made });
    const one = subscribed({ productId: 'a', basePlanId }, { store });
    return Object.keys(view([one], now, p1, { current, archived: [] }).accessLevels);
  };

  it('is that of the price at Stripe', () => {
    const priced = (priceId: string, level: string) =>
      product(priceId, level, { stripe: { productId: 'a', priceId, trialPeriodDays: null } });
    const made = [priced('price_1', 'premium'), priced('price_2', 'gold')];
    const bought = (priceId: string) => levelsOf('stripe', priceId, ...made);
    expect([bought('price_1'), bought('price_2'), bought('price_3')]).toEqual([['premium'], ['gold'], []]);
  });

  it('is that of the product at Play, where the catalog names no base plan', () => {
    expect(levelsOf('play_store', 'm', product('any', 'gold', { playStore: { productId: 'a' } }))).toEqual(['gold']);
  });

  it('is the level of one of several that name the same, though the first of them has none', () => {
    const alike = [null, 'gold', null].map((level, index) =>
      product(`p${index}`, level, { appStore: { productId: 'a' } }),
    );
    expect(levelsOf('app_store', null, ...alike)).toEqual(['gold']);
  });

  it('is none of a product that the catalog does not know: the purchase is still listed', () => {
    expect(view([subscribed({ productId: 'gone' })])).toMatchObject({
      paid: true,
      accessLevels: {},
      subscriptions: { gone: {} },
    });
  });

  it('stays with who bought a product that left the catalog, as it was last', () => {
    const held = [owned('life'), owned('coins'), subscribed()];
    const archived = products;
    expect(view(held, now, p1, { current: [], archived })).toEqual(view(held));
    const current = products.map((product) => ({ ...product, accessLevel: null }));
    expect(view(held, now, p1, { current, archived })).toMatchObject({ accessLevels: {} });
  });

  it('follows the product’s level also where it was bought under another price, as long as any catalog names it', () => {
    const gold = (level: string | null, priceId: string) =>
      product('gold', level, { stripe: { productId: 'prod_1', priceId, trialPeriodDays: null } });
    const [former, dearer] = [gold('premium', 'price_1'), gold('premium', 'price_2')];
    const [relabelled, without] = [gold('pro', 'price_2'), gold(null, 'price_2')];
    const other = product('other', 'basic', { stripe: { productId: 'prod_2', priceId: 'price_3' } });
    const held = [subscribed({ productId: 'prod_1', basePlanId: 'price_1' }, { store: 'stripe' })];
    const catalogOf = (...made: readonly object[]) => CatalogDocument.parse({ products: made }).products;
    const levels = (sells: readonly object[], sold: readonly object[]) => {
      const catalogs = { current: catalogOf(...sells), archived: catalogOf(...sold) };
      return Object.keys(view(held, now, p1, catalogs).accessLevels);
    };
    expect(levels([dearer, other], [former])).toEqual(['premium']);
    expect(levels([other, relabelled], [former])).toEqual(['pro']);
    expect(levels([without], [former])).toEqual([]);
    expect(levels([other], [relabelled, former])).toEqual(['pro']);
  });

  it('for life is given by a one-time product with a level, and by no consumable', () => {
    expect(view([owned('life')])).toMatchObject({
      paid: true,
      state: 'never-subscribed',
      accessLevels: { premium: { isActive: true, isLifetime: true, expiresAt: null } },
      subscriptions: {},
    });
    expect(view([owned('coins')])).toMatchObject({
      paid: false,
      accessLevels: {},
      nonSubscriptions: { coins: { isConsumable: true } },
    });
    expect(view([owned('badge')])).toMatchObject({
      paid: false,
      accessLevels: {},
      nonSubscriptions: { badge: { isConsumable: false } },
    });
    expect(view([owned('gems'), owned('gone')])).toMatchObject({
      accessLevels: {},
      nonSubscriptions: { gems: { isConsumable: true }, gone: { isConsumable: false } },
    });
    expect(view([owned('life', { isFamilyShared: true })])).toMatchObject({
      paid: false,
      accessLevels: { premium: { isActive: true } },
    });
  });

  it('for life has every field of decision 21, and ends when another purchase takes its place', () => {
    const chainId = '10000000-00ff-8000-8000-000000000000';
    const entry = {
      createdDate: '2026-11-19T12:00:00.000Z',
      id: 0x10_00_00_00_00_ff,
      isActive: true,
      sourceProductId: 'life',
      sourceBasePlanId: 'b',
      store: 'play_store',
      activatedAt: '2026-11-19T12:00:00.000Z',
      isLifetime: true,
      isRefund: false,
      willRenew: false,
      isInGracePeriod: false,
      cancellationReason: null,
      offerId: 'o',
      startsAt: '2026-11-19T12:00:00.000Z',
      renewedAt: null,
      expiresAt: null,
      activeIntroductoryOfferType: null,
      activePromotionalOfferType: null,
      activePromotionalOfferId: null,
      unsubscribedAt: null,
      billingIssueDetectedAt: null,
    };
    const life = (replacedAt: number | null) =>
      view([owned('life', { basePlanId: 'b', offerId: 'o' }, { store: 'play_store', chainId, replacedAt })]);
    expect(life(null).accessLevels).toEqual({ premium: entry });
    expect(life(now)).toMatchObject({
      paid: false,
      accessLevels: { premium: { ...entry, isActive: false, cancellationReason: 'unknown' } },
    });
  });

  it('of several is the one that lasts longest, in any order', () => {
    const held = [
      subscribed({ status: 'expired', expiresAt: now + 90 * day }),
      subscribed({ expiresAt: now + 60 * day }),
      subscribed({ expiresAt: now + 5 * day }),
    ];
    for (const order of [held, [...held].reverse()])
      expect(view(order).subscriptions['pro']?.expiresAt).toBe(new Date(now + 60 * day).toISOString());
    expect(view([...held, owned('life')]).accessLevels['premium']).toMatchObject({ isLifetime: true });
  });

  it('of several is the one whose grace lasts longer than the other’s period', () => {
    const inGrace = subscribed({ status: 'grace', expiresAt: now - day, graceExpiresAt: now + 15 * day });
    const held = [inGrace, subscribed({ willRenew: false, expiresAt: now + 2 * day })];
    expect(view(held).subscriptions['pro']).toMatchObject({ isInGracePeriod: true });
  });

  it('of several is the one that is open-ended', () => {
    const held = [subscribed({ isOpenEnded: true, expiresAt: now, offerId: 'open' }), subscribed()];
    expect(view(held).subscriptions['pro']).toMatchObject({ offerId: 'open' });
    expect(view([owned('life'), subscribed({ isOpenEnded: true })]).accessLevels['premium']).toMatchObject({
      isLifetime: true,
    });
  });

  describe('of several that give none', () => {
    const takenBack = (refundedAt: number) => ({
      refunds: { r: { refundId: 'r', transactionId: 't1', refundedAt, amount: null, reason: null } },
    });
    const lapsed = subscribed({
      willRenew: false,
      cancellationReason: 'voluntarily_cancelled',
      expiresAt: now - 2 * day,
    });
    const unpaid = subscribed({ status: 'billing_retry', billingIssueAt: now - 2 * day, expiresAt: now - 2 * day });
    const before = now - 20 * day;

    it.each<[string, Chain, Chain]>([
      ['a lifetime that was refunded before', lapsed, owned('life', {}, takenBack(before))],
      ['a lifetime that was revoked before', lapsed, owned('life', {}, { revokedAt: { t1: before } })],
      ['a lifetime that another purchase took the place of', lapsed, owned('life', {}, { replacedAt: before })],
      ['a year that was refunded before', unpaid, subscribed({ expiresAt: now + 300 * day }, takenBack(before))],
      [
        'a year that was revoked before',
        unpaid,
        subscribed({ expiresAt: now + 300 * day }, { revokedAt: { t1: before } }),
      ],
      ['a year that was replaced before', unpaid, subscribed({ expiresAt: now + 300 * day }, { replacedAt: before })],
      ['a period that ended before', owned('life', {}, takenBack(now - day)), lapsed],
    ])('is the one that gave it last, and not %s', (_, last, former) => {
      const id = Number.parseInt(String(last.chainId).slice(0, 8), 10) * 65_536;
      for (const held of [
        [last, former],
        [former, last],
      ])
        expect(view(held).accessLevels['premium']).toMatchObject({ isActive: false, id });
    });
  });

  it('of several that last equally long is always the same one', () => {
    const [one, other] = [subscribed({ offerId: 'one' }), subscribed({ offerId: 'other' })];
    for (const held of [
      [one, other],
      [other, one],
    ])
      expect(view(held).subscriptions['pro']).toMatchObject({ offerId: 'other' });
  });
});

describe('add-ons', () => {
  it('count each by itself: for access, state and payment', () => {
    const addOn = fact({ productId: 'pro.y', transactionId: 't2', expiresAt: now + 5 * day });
    const orders = [bought('t1', { phase: 'trial' }), bought('t2', { productId: 'pro.y' })];
    const tried = subscribed({ status: 'trial' }, { addOns: [addOn] }, orders);
    expect(view([tried])).toMatchObject({
      ...{ paid: true, state: 'subscribed' },
      accessLevels: { premium: { sourceProductId: 'pro' }, gold: { sourceProductId: 'pro.y' } },
    });
    expect(view([tried], now + 6 * day)).toMatchObject({
      ...{ paid: false, state: 'active-trial' },
      accessLevels: { premium: { isActive: true }, gold: { isActive: false } },
    });
  });

  it('have each its own purchases, and the first those of what it took the place of', () => {
    const addOn = fact({ productId: 'pro.y', transactionId: 't2' });
    const since = (days: number) => ({ purchasedAt: now - days * day, startsAt: now - days * day });
    const orders = [
      bought('t2', { productId: 'pro.y', ...since(50) }),
      bought('t0', { productId: 'old', ...since(40), expiresAt: now - day }),
    ];
    const { premium, gold } = view([subscribed({}, { addOns: [addOn] }, [...orders, bought('t1')])]).accessLevels;
    const iso = (days: number) => new Date(now - days * day).toISOString();
    expect(premium).toMatchObject({ activatedAt: iso(40), renewedAt: iso(1) });
    expect(gold).toMatchObject({ activatedAt: iso(50), renewedAt: null });
  });
});

describe('nonSubscriptions', () => {
  it('show each product of one purchase, which are taken back together', () => {
    const part = { basePlanId: null, offerId: null, phase: 'regular', startsAt: now - day, expiresAt: null } as const;
    const addOns = ['coins', 'badge'].map((productId) => ({ ...part, productId }));
    const entries = { life: { transactionId: 't1' }, coins: { transactionId: 't1', isConsumable: true }, badge: {} };
    expect(view([owned('life', { addOns })])).toMatchObject({
      accessLevels: { premium: { isLifetime: true } },
      nonSubscriptions: entries,
    });
    const behind = addOns.map((addOn, index) => (index === 0 ? { ...addOn, productId: 'life' } : addOn));
    const bundle = (more: Partial<Chain> = {}) => view([owned('coins', { addOns: behind }, more)]);
    expect(bundle()).toMatchObject({
      paid: true,
      accessLevels: { premium: { isActive: true, sourceProductId: 'life' } },
      nonSubscriptions: entries,
    });
    expect(bundle({ revokedAt: { t1: now } })).toMatchObject({
      paid: false,
      accessLevels: { premium: { isActive: false } },
      nonSubscriptions: { life: { isRefund: true }, coins: { isRefund: true }, badge: { isRefund: true } },
    });
  });

  it('show the latest purchase of a product, with every field of decision 22', () => {
    const later = owned('coins', { transactionId: 't9', purchasedAt: now });
    expect(view([later, owned('coins')]).nonSubscriptions).toEqual({
      coins: {
        isConsumable: true,
        isOneTime: true,
        isRefund: false,
        purchasedAt: '2026-11-20T12:00:00.000Z',
        purchasedId: 't9',
        store: 'app_store',
        sourceProductId: 'coins',
        transactionId: 't9',
      },
    });
  });
});

describe('whose it is', () => {
  const moved = { owner: p2, payer: p1, formerOwners: [p1] };
  const row = {
    movementId: 't1',
    type: 'charge',
    transactionId: 't1',
    time: now,
    originalTime: now,
    amount: '9.99',
    currency: 'USD',
  } as const;
  const movements = [
    { ...row, usd: '9.990004', rate: '1' },
    { ...row, movementId: 't2', usd: '0.005', rate: '1' },
    { ...row, usd: null, rate: null },
  ];

  it('access is the owner’s, revenue the payer’s, exact inside', () => {
    const one = subscribed({}, { ...moved, movements });
    expect(view([one], now, p2)).toMatchObject({ paid: true, totalRevenueUsd: 0 });
    expect(view([one], now, p1)).toMatchObject({ paid: false, state: 'subscription-cancelled', totalRevenueUsd: 10 });
  });

  it('of who had a trial it stays a trial, whatever the next owner pays', () => {
    const trial = fact({ status: 'trial', transactionId: 'before' });
    const transactions = {
      before: bought('before', { phase: 'trial', purchasedAt: now - 9 * day }),
      t1: bought('t1', { purchasedAt: now - day }),
    };
    const takenOver = { [p1]: { at: now - 2 * day, subscription: trial } };
    const one = subscribed({}, { ...moved, transactions, takenOver });
    expect(view([one], now, p1).state).toBe('trial-cancelled');
    expect(view([one], now, p2).state).toBe('subscribed');
  });

  it('a subscription that another took over by the first word of it does not move with what the new owner pays', () => {
    const first = bought('before', { purchasedAt: now - 40 * day, startsAt: now - 40 * day });
    const takenOver = { [p1]: { at: now - 39 * day, subscription: null } };
    const one = subscribed({}, { ...moved, takenOver }, [first, bought('t1')]);
    const renewed = fact({ startsAt: now + 20 * day, expiresAt: now + 50 * day });
    const later = { ...one, subscription: renewed };
    for (const shown of [one, later].map((held) => view([held], now + 21 * day, p1)))
      expect(shown).toMatchObject({
        state: 'subscription-cancelled',
        subscriptions: {
          pro: {
            startsAt: new Date(first.startsAt).toISOString(),
            renewedAt: null,
            expiresAt: new Date(now - 39 * day).toISOString(),
          },
        },
      });
  });

  it('a subscription that its former owner took back is that one’s as before', () => {
    const taken = { at: now - day, subscription: fact() };
    const one = subscribed({}, { formerOwners: [p2], takenOver: { [p1]: taken, [p2]: taken } });
    expect(view([one])).toMatchObject({ paid: true, state: 'subscribed' });
  });

  it('a subscription that was over before another took it over keeps its own end', () => {
    const [startsAt, over, at] = [35, 5, 2].map((days) => now - days * day) as [number, number, number];
    const left = (expiresAt: number | null) => {
      const subscription = fact({ status: 'expired', startsAt, expiresAt });
      const one = subscribed({}, { ...moved, takenOver: { [p1]: { at, subscription } } });
      return view([one], now, p1).subscriptions['pro'];
    };
    const iso = (time: number) => new Date(time).toISOString();
    expect(left(over)).toMatchObject({ startsAt: iso(startsAt), expiresAt: iso(over) });
    expect(left(null)).toMatchObject({ expiresAt: iso(at) });
  });

  it('a subscription that another took over by the first word of it begins with its last period before', () => {
    const renewals = [70, 40].map((days) =>
      bought(`t-${days}`, { purchasedAt: now - days * day, startsAt: now - days * day }),
    );
    const takenOver = { [p1]: { at: now - 39 * day, subscription: null } };
    const one = subscribed({}, { ...moved, takenOver }, [...renewals, bought('t1')]);
    const startsAt = new Date(now - 40 * day).toISOString();
    expect(view([one], now, p1).subscriptions['pro']).toMatchObject({ startsAt, renewedAt: startsAt });
  });

  it('a lifetime purchase that went to another profile is no longer shown', () => {
    expect(view([owned('life', {}, moved)], now, p1)).toMatchObject({
      paid: false,
      accessLevels: {},
      nonSubscriptions: {},
    });
  });

  it('sandbox earns nothing', () => {
    expect(view([subscribed({}, { environment: 'sandbox', movements })]).totalRevenueUsd).toBe(0);
  });
});
