import type { ObservePurchase, TransactionFact } from '@paywright/contracts';
import { type Chain, standingRefunds } from '@paywright/purchases';

/**
 * The App Store gives a purchase that was restored, or seen on another device, another transaction id: what is said
 * under it is said of the transaction that the purchase was first known by.
 */
export function underFirstIds(command: ObservePurchase, chain: Chain): ObservePurchase {
  const firstIds = firstIdsOf(command.body.observation.transactions, chain);
  return firstIds.size === 0 ? command : { ...command, body: renamed(command.body, firstIds) };
}

/** Of each transaction that is not the first of its purchase, the first one's id. */
function firstIdsOf(observed: readonly TransactionFact[], chain: Chain): ReadonlyMap<string, string> {
  const firstIds = new Map<string, string>();
  const firsts = Object.values(chain.transactions);
  for (const seen of observed) {
    // What an earlier version had booked under each of its ids keeps them: so its refunds find their charges.
    const itself = firsts.find(({ transactionId }) => transactionId === seen.transactionId);
    const first = itself ?? firsts.find((one) => isSamePurchase(one, seen, chain));
    if (first === undefined) firsts.push(seen);
    else if (first.transactionId !== seen.transactionId) firstIds.set(seen.transactionId, first.transactionId);
  }
  return firstIds;
}

/** One that was given back can be bought anew. */
const isSamePurchase = (first: TransactionFact, seen: TransactionFact, chain: Chain): boolean =>
  seen.purchaseId !== undefined &&
  (first.purchaseId === undefined ? isSameThing(first, seen) : first.purchaseId === seen.purchaseId) &&
  standingRefunds(chain, first.transactionId).every(({ refundedAt }) => refundedAt > seen.purchasedAt);

/** Of what was stored without the purchase's name. What a chain has of a thing for ever is one purchase. */
const isSameThing = (first: TransactionFact, seen: TransactionFact): boolean =>
  first.productId === seen.productId &&
  first.kind === seen.kind &&
  (seen.kind === 'one_time' || (first.startsAt === seen.startsAt && first.expiresAt === seen.expiresAt));

function renamed(body: ObservePurchase['body'], firstIds: ReadonlyMap<string, string>): ObservePurchase['body'] {
  const { observation, claim } = body;
  const { subscription } = observation;
  const firstOf = (id: string) => firstIds.get(id) ?? id;
  const named = <Named extends { readonly transactionId: string | null }>(one: Named): Named => {
    const { transactionId } = one;
    return transactionId === null ? one : { ...one, transactionId: firstOf(transactionId) };
  };
  return {
    ...body,
    observation: {
      ...observation,
      subscription: subscription && named(subscription),
      transactions: observation.transactions.map(named),
      refunds: observation.refunds.map((refund) => {
        const { refundId, transactionId } = refund;
        // The App Store's refunds are named after their transactions: of two ids of a purchase they are one refund.
        const first = firstOf(transactionId);
        return { ...refund, transactionId: first, refundId: refundId.replace(`${transactionId}:`, `${first}:`) };
      }),
      reversedRefunds: observation.reversedRefunds.map(firstOf),
      revokedTransactions: observation.revokedTransactions.map(firstOf),
    },
    claim: claim && named(claim),
  };
}
