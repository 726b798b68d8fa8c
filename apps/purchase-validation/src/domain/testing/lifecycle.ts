import type { Money, ObservedPurchase, RefundFact, SubscriptionFact, TransactionFact } from '@paywright/contracts';
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

type Refund = 'none' | 'part' | 'parts' | 'full' | 'full after part' | 'reversed' | 'one failed' | 'cumulative';

interface Period {
  readonly phase: 'trial' | 'intro' | 'regular';
  readonly cents: number;
  /** Cents of the list price that is told before what was paid is known; null: the payment is known at once. */
  readonly estimate: number | null;
  readonly refund: Refund;
  readonly failsFirst: boolean;
  readonly cancels: boolean;
}

const anyPeriod: fc.Arbitrary<Period> = fc.record({
  phase: fc.constantFrom('intro', 'regular', 'regular'),
  cents: fc.integer({ min: 1, max: 9_999 }),
  estimate: fc.option(fc.integer({ min: 1, max: 9_999 })),
  refund: fc.constantFrom(
    ...(['none', 'none', 'part', 'parts', 'full', 'full after part', 'reversed', 'one failed', 'cumulative'] as const),
  ),
  failsFirst: fc.boolean(),
  cancels: fc.boolean(),
});

export const lifecycle: fc.Arbitrary<Lifecycle> = fc
  .tuple(fc.boolean(), fc.array(anyPeriod, { minLength: 1, maxLength: 3 }), fc.constantFrom('play_store', 'app_store'))
  .map(([startsWithTrial, periods, store]) =>
    lifeOf(store, startsWithTrial ? [{ ...periods[0]!, phase: 'trial', refund: 'none' }, ...periods] : periods),
  );

/** A life in the App Store whose periods cost 9.99 EUR, unless said otherwise. */
export const aLife = (periods: readonly Partial<Period>[]): Lifecycle =>
  lifeOf(
    'app_store',
    periods.map((one) => ({
      ...{ phase: 'regular', cents: 999, estimate: null, refund: 'none', failsFirst: false, cancels: false },
      ...one,
    })),
  );

const euros = (cents: number): Money => ({ amount: (cents / 100).toFixed(2), currency: 'EUR' });

function lifeOf(store: 'app_store' | 'play_store', periods: readonly Period[]): Lifecycle {
  const tellings = periods.map((one, index) => tell(one, `tx${index}`, now + index * 30 * day));
  const observations = tellings.flatMap((telling) => telling.observations).map((one) => ({ ...one, store }));
  const last = observations.at(-1)!;
  const complete = observed({
    store,
    observedAt: last.observedAt + day,
    subscription: last.subscription,
    transactions: tellings.map(({ transaction }) => transaction),
    refunds: tellings.flatMap(({ refunds }) => refunds),
    reversedRefunds: tellings.flatMap(({ reversed }) => reversed),
    failedRefunds: tellings.flatMap(({ failed }) => failed),
  });
  return { observations, complete, net: Object.fromEntries(tellings.map(({ net }) => net)) };
}

/** The notifications of one period, in the order in which the store sends them. */
function tell({ phase, cents, estimate, refund, failsFirst, cancels }: Period, id: string, start: number) {
  const period = { startsAt: start, expiresAt: start + 30 * day };
  const transaction = bought(id, { ...period, purchasedAt: start, phase, price: euros(phase === 'trial' ? 0 : cents) });
  const first =
    estimate === null || phase === 'trial' ? transaction : { ...transaction, price: euros(estimate), isEstimate: true };
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
      ...more,
    });
  const reversed = refund === 'reversed' ? [id] : [];
  const failed = refund === 'one failed' ? [refunds[0]!.refundId] : [];
  const observations = [
    ...(failsFirst ? [at(-2, { status: 'grace', graceExpiresAt: start + 6 * day })] : []),
    at(1, {}, { transactions: [first] }),
    ...(cancels ? [at(20, { willRenew: false, unsubscribedAt: start + day })] : []),
    ...refunds.map((one, index) =>
      at(60 + index, { willRenew: false }, { transactions: [transaction], refunds: [one] }),
    ),
    ...reversed.map(() => at(90, {}, { transactions: [transaction], reversedRefunds: [id] })),
    ...failed.map(() => at(91, {}, { transactions: [transaction], failedRefunds: failed })),
    at(100, { willRenew: !cancels }, { transactions: [transaction] }),
  ];
  return { observations, transaction, refunds, reversed, failed, net: [id, netOf(transaction, refund)] as const };
}

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
