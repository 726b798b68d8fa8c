import {
  type ObservedPurchase,
  type RefundFact,
  RefundFailed,
  RefundReversed,
  TransactionRefunded,
  TransactionRevoked,
} from '@paywright/contracts';
import { type Chain, isRevoked, standingRefunds } from '@paywright/purchases';
import { newParts } from './parts-given-back.ts';
import { observedIn, type Step } from './purchase-stream.ts';

/** Each refund once. Its money is booked from the facts, so it may be known before its transaction is. */
export const observeRefunds: Step = (command, { chain }) => {
  const { store, refunds } = command.body.observation;
  const named = new Set<string>();
  const told = refunds.filter(({ refundId }) => !named.has(refundId) && named.add(refundId));
  // What it is of may be told later, or have been taken in by an instance of the version before, which did not know that.
  const isNew = ({ refundId, isOfItem, products = [] }: RefundFact) => {
    const known = chain.refunds[refundId];
    if (known === undefined) return true;
    return (isOfItem === true && known.isOfItem !== true) || products.some((one) => !known.products?.includes(one));
  };
  const unknown = store === 'play_store' ? newParts(told, chain.refunds) : told.filter(isNew);
  return unknown.map((refund) => TransactionRefunded.of({ ...observedIn(command, chain), refund }));
};

/** Each that failed once: also one that is yet to be heard of, since words come in any order. */
export const observeFailures: Step = (command, { chain }) => {
  const { observedAt, failedRefunds = [] } = command.body.observation;
  return [...new Set(failedRefunds)]
    .filter((refundId) => !(refundId in (chain.failedRefunds ?? {})))
    .map((refundId) => RefundFailed.of({ ...observedIn(command, chain), refundId, observedAt }));
};

/** What was taken back of a transaction, and what of that was taken back again: by time of the store's word. */
export const observeReversals: Step = (command, { chain }) => {
  const { observedAt, reversedRefunds, revokedTransactions } = command.body.observation;
  const reversed = [...reversedRefunds, ...givenAgain(command.body.observation, chain)];
  const observed = observedIn(command, chain);
  const newIn = (times: Readonly<Record<string, number>>, ids: readonly string[]) =>
    [...new Set(ids)].filter((id) => observedAt > (times[id] ?? -1));
  return [
    ...newIn(chain.revokedAt, revokedTransactions).map((transactionId) =>
      TransactionRevoked.of({ ...observed, transactionId, observedAt }),
    ),
    ...newIn(chain.reversedAt, reversed).map((transactionId) =>
      RefundReversed.of({ ...observed, transactionId, reversedAt: observedAt }),
    ),
  ];
};

/**
 * What was bought once, and the App Store took without money: what it tells of later as it stood is there again, as where a family
 * shares anew. Of a subscription its state says so.
 */
const givenAgain = (
  { store, observedAt, transactions, refunds, revokedTransactions }: ObservedPurchase,
  chain: Chain,
): readonly string[] =>
  store !== 'app_store'
    ? []
    : transactions
        .filter(({ kind, transactionId: id }) => kind === 'one_time' && isRevoked(chain, id))
        .map(({ transactionId }) => transactionId)
        .filter((id) => observedAt > chain.revokedAt[id]! && !revokedTransactions.includes(id))
        .filter((id) => [...refunds, ...standingRefunds(chain, id)].every(({ transactionId }) => transactionId !== id));
