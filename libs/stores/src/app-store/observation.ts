import type { Observation } from '@paywright/contracts';
import { inOurWords, type SignedTransaction } from './signed-payloads.ts';
import { subscriptionFact, type SubscriptionParts } from './subscription-fact.ts';
import { refundFacts, takenWithoutMoney, transactionFact } from './transaction-fact.ts';

/** Verified parts of one chain, together one observation. */
export interface ChainParts {
  /** One or more, each once, all of one original transaction and environment. */
  readonly transactions: readonly [SignedTransaction, ...SignedTransaction[]];
  /** null where the parts do not tell how a subscription stands now. */
  readonly subscription: SubscriptionParts | null;
  /** Whether the transactions' refunds were taken back. */
  readonly isRefundReversed: boolean;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * What the parts say of their chain; null if there is a transaction of a type that is new to us.
 * @param graceMs see subscriptionFact
 */
export function observe({ transactions, subscription, isRefundReversed }: ChainParts, graceMs: number) {
  // Of lapses shorter than 60 days it says nothing.
  const boughtAnewAt = subscription?.renewal.recentSubscriptionStartDate ?? null;
  const facts = transactions.map((transaction) => transactionFact(transaction, boughtAnewAt));
  if (facts.includes(null)) return null;
  const [first] = transactions;
  const account = first.appAccountToken ?? subscription?.renewal.appAccountToken ?? null;
  return {
    store: 'app_store',
    environment: inOurWords[first.environment],
    originalId: first.originalTransactionId,
    // A state is no newer than the oldest part that it is made of.
    observedAt: Math.min(...(subscription ? signedDates(subscription) : transactions.map((part) => part.signedDate))),
    replaces: [],
    // Our profile ids are written in lower case; Apple repeats a UUID as the app wrote it.
    account: account !== null && uuid.test(account) ? account.toLowerCase() : account,
    subscription: subscription && subscriptionFact(subscription, graceMs),
    transactions: facts.filter((fact) => fact !== null),
    refunds: transactions.flatMap(refundFacts),
    reversedRefunds: isRefundReversed ? transactions.map(({ transactionId }) => transactionId) : [],
    revokedTransactions: transactions.filter(takenWithoutMoney).map(({ transactionId }) => transactionId),
  } satisfies Observation;
}

const signedDates = ({ transaction, renewal }: SubscriptionParts) => [transaction.signedDate, renewal.signedDate];

/** A transaction and the one that its subscription stands by; of one met twice, the latter is taken. */
export function newestFirst(
  transaction: SignedTransaction,
  subscription: SubscriptionParts | null,
): ChainParts['transactions'] {
  if (subscription === null) return [transaction];
  const newest = subscription.transaction;
  return newest.transactionId === transaction.transactionId ? [newest] : [newest, transaction];
}
