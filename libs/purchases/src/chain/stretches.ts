import type { ObservedPurchase, PurchaseOrigin, TransactionFact } from '@paywright/contracts';
import { buysPeriod, type Chain, originallyPurchasedAt, transactionsOf } from './chain.ts';
import { takenBackAt } from './refunds.ts';

/** A subscription from when it was bought until it lapsed, if it did. */
export interface Stretch {
  /** In milliseconds since the epoch; 0 where no transaction is known yet. */
  readonly boughtAt: number;
  /** The chain as if it had not been bought before, nor again. */
  readonly chain: Chain;
}

/**
 * The chain once for each time that it was bought, in that order. The App Store goes on with the chain of whoever
 * subscribes again after a lapse; elsewhere that is another chain, and a gap is none.
 */
export function stretchesOf(chain: Chain): readonly Stretch[] {
  const { parts, ends } = partedOf(chain);
  if (parts.length < 2) return [{ boughtAt: boughtAtOf(parts[0]), chain }];
  const boughtAt = parts.map(boughtAtOf);
  const partOf = new Map(
    parts.flatMap((part, index) => part.map(({ transactionId }) => [transactionId, index] as const)),
  );
  const partAt = (time: number) =>
    Math.max(
      0,
      boughtAt.findLastIndex((at) => at <= time),
    );
  return parts.map((part, index) => {
    const transactions = Object.fromEntries(part.map((transaction) => [transaction.transactionId, transaction]));
    const movements = chain.movements.filter(
      ({ transactionId, originalTime }) => (partOf.get(transactionId) ?? partAt(originalTime)) === index,
    );
    const bought = { ...chain, transactions, movements };
    return { boughtAt: boughtAt[index]!, chain: index === parts.length - 1 ? bought : lapsed(bought, ends[index]!) };
  });
}

/**
 * What each of the chain's transactions came of: what was attributed when it, or what it renews, was bought; else what the
 * chain was attributed to before. What led to a later purchase did not sell a former one.
 */
export function originsOf(chain: Chain): (transactionId: string) => PurchaseOrigin | null {
  const { origin, attributedWith, laterOrigins } = chain;
  // Of the whole chain.
  if (origin === null || (attributedWith === undefined && laterOrigins === undefined)) return () => origin;
  const { first, placeOf } = attributedPlaces(chain);
  const later = new Map<number, PurchaseOrigin>();
  for (const [id, told] of Object.entries(laterOrigins ?? {}))
    if (!later.has(placeOf(id))) later.set(placeOf(id), told);
  return (transactionId) => {
    const place = placeOf(transactionId);
    if (place >= 0 && place < first) return null;
    return (place > first ? later.get(place) : undefined) ?? origin;
  };
}

/** Whether nobody has told what the transaction came of: nothing of the chain, or of nothing since it was bought again. */
export function awaitsOrigin(chain: Chain, transactionId: string | null): boolean {
  const { origin, laterOrigins = {} } = chain;
  if (origin === null || transactionId === null) return origin === null;
  const { first, placeOf } = attributedPlaces(chain);
  return placeOf(transactionId) > Math.max(first, ...Object.keys(laterOrigins).map(placeOf));
}

/** Whether the transaction is of what was bought when the subscription was bought again after a lapse. */
export const isBoughtAgain = (chain: Chain, transactionId: string): boolean =>
  attributedPlaces(chain).placeOf(transactionId) > 0;

/** Which of the chain's stretches was attributed first, and which one a transaction is of; -1 of one that is not known. */
function attributedPlaces(chain: Chain) {
  const places = partedOf(chain).parts.flatMap((part, place) => part.map((one) => [one.transactionId, place] as const));
  const known = new Map(places);
  const placeOf = (id: string) => known.get(id) ?? -1;
  return { first: Math.max(0, placeOf(chain.attributedWith ?? '')), placeOf };
}

/** What an observation says was bought, and was given back or taken of it. */
type Told = Pick<
  ObservedPurchase,
  'observedAt' | 'transactions' | 'refunds' | 'reversedRefunds' | 'revokedTransactions'
>;

/** The chain as far as its stretches hang on it, as it will be once this is told, too. */
export function withObserved(chain: Chain, { observedAt, transactions, refunds, ...told }: Told): Chain {
  const newest = (known: Readonly<Record<string, number>>, ids: readonly string[]) => ({
    ...known,
    ...Object.fromEntries(ids.map((id) => [id, Math.max(known[id] ?? observedAt, observedAt)])),
  });
  return {
    ...chain,
    transactions: { ...Object.fromEntries(transactions.map((one) => [one.transactionId, one])), ...chain.transactions },
    refunds: { ...Object.fromEntries(refunds.map((one) => [one.refundId, one])), ...chain.refunds },
    reversedAt: newest(chain.reversedAt, told.reversedRefunds),
    revokedAt: newest(chain.revokedAt, told.revokedTransactions),
  };
}

/** The transactions of each time that it was bought, and until when they paid. */
function partedOf(chain: Chain) {
  const parts: TransactionFact[][] = [];
  const ends: number[] = [];
  let former: TransactionFact | null = null;
  for (const transaction of transactionsOf(chain)) {
    if (former === null || (!former.isUpgraded && isBoughtAnew(chain, transaction, ends.at(-1)!))) {
      parts.push([]);
      ends.push(-Infinity);
    }
    parts.at(-1)!.push(transaction);
    ends.push(Math.max(ends.pop()!, paidUntil(chain, transaction)));
    former = transaction;
  }
  return { parts, ends };
}

/** What the store collected late renews what was bought before. */
const isBoughtAnew = ({ store }: Chain, transaction: TransactionFact, end: number): boolean =>
  store === 'app_store' &&
  transaction.kind === 'subscription' &&
  buysPeriod(transaction) &&
  originallyPurchasedAt(transaction) > end;

/** Of what another plan took the place of, its end says nothing; what the store took back is paid for until then. */
const paidUntil = (chain: Chain, { transactionId, expiresAt, isUpgraded }: TransactionFact): number =>
  isUpgraded ? -Infinity : Math.min(expiresAt ?? Infinity, takenBackAt(chain, transactionId));

/** Of a subscription that was bought again nothing more is to come. */
const lapsed = (chain: Chain, replacedAt: number): Chain => ({
  ...chain,
  subscription: null,
  addOns: undefined,
  renewalUsd: undefined,
  replacedAt,
});

const boughtAtOf = (part: readonly TransactionFact[] | undefined): number =>
  part?.[0] === undefined ? 0 : originallyPurchasedAt(part[0]);
