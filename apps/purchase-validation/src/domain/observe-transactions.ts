import { type PurchaseLabel, type Store, type TransactionFact, TransactionObserved } from '@paywright/contracts';
import { buysPeriod, type Chain, partOf, tookPlaceOf, transactionsOf } from '@paywright/purchases';
import { mergeTransaction } from './merge-transaction.ts';
import { isSame } from './is-same.ts';
import { observedIn, type Step } from './purchase-stream.ts';

/**
 * Each transaction that is new, or of which the store says more than before. Age does not matter: a purchase is one, and
 * named when it is paid in full.
 */
export const observeTransactions: Step = (command, { chain }) => {
  const { observation } = command.body;
  const known = { ...chain.transactions };
  const addOns = new Set(observation.addOns?.map(({ productId }) => productId));
  const isAddOn = ({ productId }: TransactionFact) => addOns.has(productId);
  const originalTransactionId = shownId(chain, command.body.originalTransactionId, observation.transactions);
  return [...observation.transactions].sort(byPurchase).flatMap((seen) => {
    const before = known[seen.transactionId];
    const transaction = before ? mergeTransaction(before, seen) : seen;
    if (before && isSame(before, transaction)) return [];
    const isBought = buysPeriod(transaction) && !(before && buysPeriod(before));
    const periods = Object.values(known).filter(buysPeriod);
    const earlier = isAddOn(seen)
      ? periods.flatMap((one) => partOf(one, seen) ?? [])
      : periods.filter((one) => !isAddOn(one));
    const labels = isBought ? labelsOf(seen, earlier, observation.store) : [];
    known[seen.transactionId] = transaction;
    const { observedAt } = observation;
    const observed = observedIn(command, chain);
    return [TransactionObserved.of({ ...observed, originalTransactionId, observedAt, transaction, labels })];
  });
};

const byPurchase = (a: TransactionFact, b: TransactionFact) => a.purchasedAt - b.purchasedAt;

/** Renewals of a Play order are named after it: `GPA.1234..0`. */
function shownId(chain: Chain, told: string | null, observed: readonly TransactionFact[]): string | null {
  const first = transactionsOf(chain)[0] ?? [...observed].sort(byPurchase)[0];
  return chain.originalTransactionId ?? told ?? first?.transactionId.replace(/\.\.\d+$/, '') ?? null;
}

function labelsOf(bought: TransactionFact, known: readonly TransactionFact[], store: Store): PurchaseLabel[] {
  if (bought.kind === 'one_time') return ['non_subscription_purchase'];
  const before = known
    .filter(({ kind, purchasedAt }) => kind === 'subscription' && purchasedAt <= bought.purchasedAt)
    .sort(byPurchase)
    .at(-1);
  if (bought.phase === 'trial') return before && goesOn(before, bought) ? [] : ['trial_started'];
  const isChange = bought.phase === 'prorated' || bought.isPlanChange === true;
  // With a fixed day of the month the first payment is for what is left until then. What it began may be told of before it.
  if (!before && bought.originallyPurchasedAt === undefined) return ['subscription_started'];
  // Who paid before can be given a trial, as to be won back.
  if (before?.phase === 'trial') return ['trial_converted'];
  if (isChange) return ['product_changed'];
  if (!before || !tookPlaceOf(before, bought)) return ['subscription_renewed'];
  return [store === 'app_store' ? 'subscription_started' : 'product_changed'];
}

/** Whether it is the same trial: an end that is moved at Stripe is another invoice. */
const goesOn = (before: TransactionFact, { startsAt }: TransactionFact): boolean =>
  before.phase === 'trial' && startsAt <= (before.expiresAt ?? Infinity);
