import {
  type RefundFact,
  RefundFailed,
  RefundReversed,
  TransactionRefunded,
  TransactionRevoked,
} from '@paywright/contracts';
import { newParts } from './parts-given-back.ts';
import { observedIn, type Step } from './purchase-stream.ts';

/** Each refund once. Its money is booked from the facts, so it may be known before its transaction is. */
export const observeRefunds: Step = (command, { chain }) => {
  const { store, refunds } = command.body.observation;
  const named = new Set<string>();
  const told = refunds.filter(({ refundId }) => !named.has(refundId) && named.add(refundId));
  const isNew = ({ refundId }: RefundFact) => !(refundId in chain.refunds);
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
  const observed = observedIn(command, chain);
  const newIn = (times: Readonly<Record<string, number>>, ids: readonly string[]) =>
    [...new Set(ids)].filter((id) => observedAt > (times[id] ?? -1));
  return [
    ...newIn(chain.revokedAt, revokedTransactions).map((transactionId) =>
      TransactionRevoked.of({ ...observed, transactionId, observedAt }),
    ),
    ...newIn(chain.reversedAt, reversedRefunds).map((transactionId) =>
      RefundReversed.of({ ...observed, transactionId, reversedAt: observedAt }),
    ),
  ];
};
