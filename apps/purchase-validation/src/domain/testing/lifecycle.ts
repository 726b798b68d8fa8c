import type {
  Money,
  ObservedPurchase,
  RefundFact,
  Store,
  SubscriptionFact,
  TransactionFact,
} from '@paywright/contracts';
import { microsOf } from '@paywright/purchases';
import fc from 'fast-check';
import { bought, day, now, observed, refunded, standing } from './purchases.ts';

/** A subscription's life as the store knows it: what it said at each moment, all that it knows in the end, and money. */
export interface Lifecycle {
  readonly observations: readonly ObservedPurchase[];
  readonly complete: ObservedPurchase;
  /** Millionths of EUR by transaction: paid, less what went back. */
  readonly net: Readonly<Record<string, bigint>>;
}

/** How an add-on is paid for, if there is one: with the period, or by itself; and whether it is to go on. */
type AddOn = 'none' | 'with the period' | 'by itself' | 'removed';
type Refund = 'none' | 'part' | 'parts' | 'full' | 'full after part' | 'reversed' | 'one failed' | 'cumulative';

interface Period {
  readonly phase: 'trial' | 'intro' | 'regular';
  readonly cents: number;
  /**
   * Cents of the list price that is told before what was paid is known; unread: nothing is told of it. Neither tells
   * when it was. null: the payment is known at once.
   */
  readonly estimate: number | 'unread' | null;
  readonly refund: Refund;
  readonly failsFirst: boolean;
  /** How often renewal is switched, off at first. */
  readonly switches: number;
  readonly addOn: AddOn;
}

const anyPeriod: fc.Arbitrary<Period> = fc.record({
  phase: fc.constantFrom('intro', 'regular', 'regular'),
  cents: fc.integer({ min: 1, max: 9_999 }),
  estimate: fc.option(fc.oneof(fc.integer({ min: 1, max: 9_999 }), fc.constant('unread' as const))),
  refund: fc.constantFrom(
    ...(['none', 'none', 'part', 'parts', 'full', 'full after part', 'reversed', 'one failed', 'cumulative'] as const),
  ),
  failsFirst: fc.boolean(),
  switches: fc.nat(3),
  addOn: fc.constantFrom('none', 'with the period', 'by itself', 'removed'),
});

const lifecycleIn = (store: Store): fc.Arbitrary<Lifecycle> =>
  fc
    .tuple(fc.boolean(), fc.array(anyPeriod, { minLength: 1, maxLength: 3 }))
    .map(([startsWithTrial, periods]) =>
      lifeOf(store, startsWithTrial ? [{ ...periods[0]!, phase: 'trial', refund: 'none' }, ...periods] : periods),
    );

export const playLifecycle = lifecycleIn('play_store');
export const lifecycle = fc.oneof(playLifecycle, lifecycleIn('stripe'), lifecycleIn('app_store'));

const month: Period = {
  ...{ phase: 'regular', cents: 999, estimate: null, refund: 'none', failsFirst: false, switches: 0, addOn: 'none' },
};

/** A life in the App Store whose periods cost 9.99 EUR, unless said otherwise. */
export const aLife = (periods: readonly Partial<Period>[]): Lifecycle =>
  lifeOf(
    'app_store',
    periods.map((one) => ({ ...month, ...one })),
  );

const euros = (cents: number): Money => ({ amount: (cents / 100).toFixed(2), currency: 'EUR' });

/** In the App Store alone a subscription has no add-ons. */
function lifeOf(store: Store, periods: readonly Period[]): Lifecycle {
  const told = store === 'app_store' ? periods.map((one): Period => ({ ...one, addOn: 'none' })) : periods;
  const tellings = told.map((one, index) => tell(one, `tx${index}`, now + index * 30 * day));
  const observations = tellings.flatMap((telling) => telling.observations).map((one) => ({ ...one, store }));
  const last = observations.at(-1)!;
  const complete = observed({
    store,
    observedAt: last.observedAt + day,
    subscription: last.subscription && { ...last.subscription, unsubscribedAt: tellings.at(-1)!.unsubscribedAt },
    addOns: last.addOns,
    transactions: tellings.flatMap(({ transactions }) => transactions),
    refunds: tellings.flatMap(({ refunds }) => refunds),
    reversedRefunds: tellings.flatMap(({ reversed }) => reversed),
    failedRefunds: tellings.flatMap(({ failed }) => failed),
  });
  return { observations, complete, net: Object.fromEntries(tellings.flatMap(({ net }) => net)) };
}

/** The notifications of one period, in the order in which the store sends them. */
function tell({ phase, cents, estimate, refund, failsFirst, switches, addOn }: Period, id: string, start: number) {
  const period = { startsAt: start, expiresAt: start + 30 * day };
  const beside = addOnOf(addOn, id, start);
  const alone = bought(id, { ...period, purchasedAt: start, phase, price: euros(phase === 'trial' ? 0 : cents) });
  const transaction = { ...alone, ...beside.part };
  const transactions = [transaction, ...beside.transactions];
  const first = estimate === null || phase === 'trial' ? transaction : beforeItsOrder(alone, estimate);
  const refunds = refundsOf(refund, id, start, cents);
  const at = (
    hours: number,
    { willRenew = true, ...subscription }: Partial<SubscriptionFact>,
    more: Partial<ObservedPurchase> = {},
  ) =>
    observed({
      observedAt: start + hours * 3_600_000,
      subscription: standing({
        ...{ ...period, transactionId: id, status: statusIn(phase), willRenew },
        ...(willRenew && { renewalPrice: euros(cents) }),
        ...subscription,
      }),
      addOns: beside.addOns,
      ...more,
    });
  const reversed = refund === 'reversed' ? [id] : [];
  const failed = refund === 'one failed' ? [refunds[0]!.refundId] : [];
  const renewal = switchesOf(switches, start);
  const willRenew = renewal.at(-1)?.willRenew ?? true;
  const observations = [
    ...(failsFirst ? [at(-2, { status: 'grace', graceExpiresAt: start + 6 * day })] : []),
    at(1, {}, { transactions: [first, ...beside.transactions] }),
    // Apple tells of a switch once; who looks later learns whether it is off, and not since when.
    ...renewal.flatMap(({ hours, ...switched }) => [
      at(hours, switched),
      at(hours + 1, { willRenew: switched.willRenew }),
    ]),
    ...refunds.map((one, index) => at(60 + index, { willRenew: false }, { transactions, refunds: [one] })),
    ...reversed.map(() => at(90, { willRenew }, { transactions, reversedRefunds: [id] })),
    ...failed.map(() => at(91, { willRenew }, { transactions, failedRefunds: failed })),
    at(100, { willRenew }, { transactions }),
  ];
  const net: readonly (readonly [string, bigint])[] = [
    [id, netOf(transaction, refund)],
    ...beside.transactions.map((one) => [one.transactionId, netOf(one, 'none')] as const),
  ];
  const unsubscribedAt = renewal.at(-1)?.unsubscribedAt ?? null;
  return { observations, transactions, refunds, reversed, failed, unsubscribedAt, net };
}

const addOnCents = 250;

/** The add-on of a period, which ends a week later; with its own order, or its part of the period's. */
function addOnOf(addOn: AddOn, id: string, start: number) {
  if (addOn === 'none') return { addOns: [], transactions: [], part: {} };
  const period = { productId: 'coach', startsAt: start + day, expiresAt: start + 37 * day };
  const transactionId = addOn === 'by itself' ? `${id}+` : id;
  const addOns = [standing({ ...period, transactionId, willRenew: addOn !== 'removed' })];
  if (addOn === 'by itself') {
    const order = bought(transactionId, { ...period, purchasedAt: start + day, price: euros(addOnCents) });
    return { addOns, transactions: [order], part: {} };
  }
  const part = { ...period, basePlanId: null, offerId: null, phase: 'regular' as const };
  return { addOns, transactions: [], part: { addOns: [part] } };
}

/** Each told a while after it was done. */
const switchesOf = (count: number, start: number) =>
  Array.from({ length: count }, (_, index) => {
    const [hours, willRenew] = [20 + 3 * index, index % 2 === 1];
    return { hours, willRenew, unsubscribedAt: willRenew ? null : start + hours * 3_600_000 - 60_000 };
  });

/** The first moment that Google told of it stands in for the order's, a day late. */
const beforeItsOrder = (transaction: TransactionFact, estimate: number | 'unread'): TransactionFact => ({
  ...{ ...transaction, purchasedAt: transaction.purchasedAt + day, startsAt: transaction.startsAt + day },
  ...(estimate === 'unread' ? { price: null } : { price: euros(estimate), isEstimate: true }),
});

const statusIn = (phase: Period['phase']) => (phase === 'regular' ? 'active' : phase);

function refundsOf(refund: Refund, id: string, start: number, cents: number): readonly RefundFact[] {
  const at = (hours: number) => start + hours * 3_600_000;
  const part = refunded(id, at(40), { amount: euros(Math.floor(cents / 3)) });
  const rest = refunded(id, at(41));
  switch (refund) {
    case 'none':
      return [];
    case 'part':
      return [part];
    case 'parts':
    case 'one failed':
      return [part, refunded(id, at(41), { amount: euros(Math.floor(cents / 3)) })];
    case 'full':
    case 'reversed':
      return [rest];
    case 'full after part':
      return [part, rest];
    case 'cumulative':
      return [
        { ...part, isCumulative: true },
        refunded(id, at(41), { amount: euros(Math.floor(cents / 2)), isCumulative: true }),
      ];
  }
}

/** What the transaction earned in the end, told by the names of its refunds alone. */
function netOf({ price, phase }: TransactionFact, refund: Refund): bigint {
  const cents = phase === 'trial' ? 0n : microsOf(price!.amount) / 10_000n;
  const given = {
    none: 0n,
    reversed: 0n,
    part: cents / 3n,
    'one failed': cents / 3n,
    parts: 2n * (cents / 3n),
    full: cents,
    'full after part': cents,
    cumulative: cents / 2n,
  }[refund];
  return (cents - given) * 10_000n;
}
