import type { SubscriptionFact, TransactionFact } from '@paywright/contracts';
import type { Chain, SubscriptionWithAddOns } from './chain.ts';

/** The subscription and its add-ons; none where there is no subscription. */
export const subscriptionsOf = ({ subscription, addOns = [] }: SubscriptionWithAddOns): readonly SubscriptionFact[] =>
  subscription === null ? [] : [subscription, ...addOns];

/** Those that are charged next: of all that renew, the ones whose period ends first. None where one of them tells no price. */
export function nextCharged(held: SubscriptionWithAddOns): readonly SubscriptionFact[] {
  const renewing = subscriptionsOf(held).filter(({ willRenew }) => willRenew);
  const dueAt = ({ expiresAt }: SubscriptionFact) => expiresAt ?? Infinity;
  const first = Math.min(...renewing.map(dueAt));
  const charged = renewing.filter((each) => dueAt(each) === first);
  return charged.every(({ renewalPrice }) => renewalPrice) ? charged : [];
}

/**
 * The chain once for each of its subscriptions, as if that one had been bought alone: with what paid for it. To the first
 * belongs also what paid for none of them, such as a product that it took the place of.
 */
export function linesOf(chain: Chain): readonly Chain[] {
  const { addOns = [] } = chain;
  if (addOns.length === 0) return [chain];
  const ofAddOns = new Set(addOns.map(({ productId }) => productId));
  return subscriptionsOf(chain).map((subscription, index) => {
    const transactions = Object.entries(chain.transactions).flatMap(([id, transaction]) => {
      const isLeft = index === 0 && !ofAddOns.has(transaction.productId);
      const part = partOf(transaction, subscription) ?? (isLeft ? transaction : null);
      return part ? [[id, part] as const] : [];
    });
    return { ...chain, subscription, addOns: [], transactions: Object.fromEntries(transactions) };
  });
}

/** What a transaction paid for of a product, told as if it had paid for nothing else; null if it paid nothing of it. */
export function partOf(
  transaction: TransactionFact,
  { productId }: Pick<SubscriptionFact, 'productId'>,
): TransactionFact | null {
  if (transaction.productId === productId) return transaction;
  const addOn = transaction.addOns?.find((paid) => paid.productId === productId);
  return addOn ? { ...transaction, isInArrears: false, isFree: false, ...addOn } : null;
}
