import type { StripeCharge, StripeDispute } from './stripe-answers.ts';
import { apportioned } from './stripe-charges.ts';

/**
 * Disputes in the currency of their charge. What part of it one in another currency is of is not known: all, as disputes are
 * as a rule.
 */
export const inCurrencyOf = (
  { currency, amount_captured: amount }: StripeCharge,
  disputes: readonly StripeDispute[],
): readonly StripeDispute[] =>
  disputes.map((dispute) => (dispute.currency === currency ? dispute : { ...dispute, amount, currency }));

/**
 * Disputes that are lost, with what they took for good. Of one that is lost in part Stripe gives the rest back, perhaps later:
 * what stays lost has another id then, and what was taken first came to nothing.
 */
export const lostDisputes = (disputes: readonly StripeDispute[]): readonly StripeDispute[] =>
  disputes.filter(isLost).flatMap((dispute) => {
    const { taken, returned } = movedBy(dispute);
    if (returned === 0) return dispute;
    const [amount = 0] = apportioned(dispute.amount, [Math.max(0, taken - returned), returned]);
    return amount > 0 ? { ...dispute, id: lostId(dispute), amount } : [];
  });

/** Ids of disputes that did not take what they are of: a dispute that was lost, be it in part, can be won on appeal. */
export const failedDisputeIds = (disputes: readonly StripeDispute[]): readonly string[] =>
  disputes.flatMap((dispute) => {
    const { taken, returned, isInSteps } = movedBy(dispute);
    if (isLost(dispute)) return returned > 0 ? [dispute.id] : [];
    if (dispute.status !== 'won') return [];
    return isInSteps || returned < taken ? [dispute.id, lostId(dispute)] : [dispute.id];
  });

const isLost = ({ status }: StripeDispute): boolean => status === 'lost';

/** What stays lost of one. */
const lostId = ({ id }: StripeDispute): string => `${id}:lost`;

/** Not its fee, which can be a movement of its own. */
const movesMoney = ({ reporting_category: category }: NonNullable<StripeDispute['balance_transactions']>[number]) =>
  category == null || category === 'dispute' || category === 'dispute_reversal';

/**
 * In the currency that the account settles in, which need not be the dispute's; without fees. `isInSteps`: it was given back
 * bit by bit.
 */
function movedBy({ balance_transactions: moved }: StripeDispute) {
  const amounts = (moved ?? []).filter(movesMoney).map(({ amount }) => amount);
  const sum = (some: readonly number[]) => some.reduce((total, amount) => total + Math.abs(amount), 0);
  const returns = amounts.filter((amount) => amount > 0);
  return { taken: sum(amounts.filter((amount) => amount < 0)), returned: sum(returns), isInSteps: returns.length > 1 };
}
