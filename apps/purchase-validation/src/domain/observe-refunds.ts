import { RefundFailed, RefundReversed, TransactionRefunded, TransactionRevoked } from '@paywright/contracts';
import { observedIn, type Step } from './purchase-stream.ts';

/** Each refund once. Its money is booked from the facts, so it may be known before its transaction is. */
export const observeRefunds: Step = (command, { chain }) => {
  const known = new Set(Object.keys(chain.refunds));
  return command.body.observation.refunds
    .filter(({ refundId }) => !known.has(refundId) && known.add(refundId))
    .map((refund) => TransactionRefunded.of({ ...observedIn(command, chain), refund }));
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
