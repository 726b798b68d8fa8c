import type { StripeDispute } from './stripe-answers.ts';
import { apportioned } from './stripe-charges.ts';

/**
 * Disputes that are lost, with what they took for good. Of one that is lost in part Stripe gives the rest back, perhaps later:
 * what stays lost has another id then, and what was taken first came to nothing.
 */
export const lostDisputes = (disputes: readonly StripeDispute[]): readonly StripeDispute[] =>
  disputes.filter(isLost).flatMap((dispute) => {
    const { taken, returned } = movedBy(dispute);
    if (returned === 0) return dispute;
    const [amount = 0] = apportioned(dispute.amount, [Math.max(0, taken - returned), returned]);
    return amount > 0 ? { ...dispute, id: `${dispute.id}:lost`, amount } : [];
  });

/** Ids of disputes that did not take what they are of: a dispute that was lost can be won on appeal. */
export const failedDisputeIds = (disputes: readonly StripeDispute[]): readonly string[] =>
  disputes
    .filter((dispute) => dispute.status === 'won' || (isLost(dispute) && movedBy(dispute).returned > 0))
    .map(({ id }) => id);

const isLost = ({ status }: StripeDispute): boolean => status === 'lost';

/** In the currency that the account settles in, which need not be the dispute's; without fees. */
function movedBy({ balance_transactions: moved }: StripeDispute) {
  const amounts = (moved ?? []).map(({ amount }) => amount);
  const sum = (some: readonly number[]) => some.reduce((total, amount) => total + Math.abs(amount), 0);
  return { taken: sum(amounts.filter((amount) => amount < 0)), returned: sum(amounts.filter((amount) => amount > 0)) };
}
