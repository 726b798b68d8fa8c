import type { Money, PaidAddOn, Phase, RefundFact, TransactionFact } from '@paywright/contracts';
import { decimalText } from '../decimal-text.ts';
import type { PlayOrder } from './play-answers.ts';
import { billionthsOf, playMoney } from './play-money.ts';
import { phaseOfOrder } from './play-phase.ts';

/** What an order says of the period that it paid for. Null: not said. */
export interface PlayOrderPeriod {
  readonly phase: Phase | null;
  readonly startsAt: number | null;
  readonly endsAt: number | null;
  readonly basePlanId: string | null;
  readonly offerId: string | null;
}

/** The period of a product in an order; of a product that the order does not name, nothing is known. */
export function periodOfOrder(order: PlayOrder | null, productId: string): PlayOrderPeriod {
  const details = order?.lineItems?.find((line) => line.productId === productId)?.subscriptionDetails;
  return {
    phase: details ? phaseOfOrder(details) : null,
    startsAt: details?.servicePeriodStartTime ?? null,
    endsAt: details?.servicePeriodEndTime ?? null,
    basePlanId: details?.basePlanId ?? null,
    offerId: details?.offerId ?? null,
  };
}

/** What an order paid for beside the product, by product. @param boughtAt when its periods began, should it not say so */
export function addOnsOfOrder(order: PlayOrder | null, productId: string, boughtAt: number): PaidAddOn[] {
  const products = new Set(order?.lineItems?.flatMap((line) => line.productId ?? []));
  products.delete(productId);
  return [...products].sort().map((addOn) => {
    const { phase: told, startsAt, endsAt, basePlanId, offerId } = periodOfOrder(order, addOn);
    const phase = told ?? 'regular';
    const isFree = order !== null && wasFree(order, phase);
    const period = { phase, startsAt: startsAt ?? boughtAt, expiresAt: endsAt };
    return { productId: addOn, basePlanId, offerId, ...period, ...(isFree && { isFree }) };
  });
}

/** Whether the order moved money, or gave a trial: not while it waits, and never once it was cancelled before. */
export function isCharged({ state }: PlayOrder): boolean {
  return state === 'PROCESSED' || state === 'PENDING_REFUND' || state === 'PARTIALLY_REFUNDED' || state === 'REFUNDED';
}

/** Whether it is yet to be seen what becomes of it. */
export const isUndecided = ({ state }: PlayOrder): boolean => state === 'PENDING' || state === 'unknown';

/** Whether nothing of its money is left that could go back. */
export const isOver = (order: PlayOrder): boolean => order.state === 'CANCELED' || isPaidBackInFull(order);

/** Whether money is on its way back that no refund of ours tells of yet. */
export const isGivingBack = (order: PlayOrder): boolean =>
  !isOver(order) && (order.state === 'PENDING_REFUND' || partsOf(order).some((part) => !hasArrived(part)));

/**
 * Whether what the order sold cost nothing. A trial is called so, and for what bridges a change of plan the rest of the former
 * one may have paid.
 */
export const wasFree = ({ total }: PlayOrder, phase: Phase): boolean =>
  phase !== 'trial' && phase !== 'prorated' && total != null && billionthsOf(total) === 0n;

/** What was paid, with tax and discounts; null if the order does not say. */
export function paidFor({ total }: PlayOrder): Money | null {
  return total ? playMoney(total) : null;
}

/**
 * What Google keeps: total − tax − the developer's revenue. Nothing, where the order does not say all three, or gave
 * something back: its revenue is then less what was refunded, its total is not.
 */
export function storeShareOf(order: PlayOrder): Pick<TransactionFact, 'storeShare'> {
  const { state, orderHistory, total, tax, developerRevenueInBuyerCurrency: revenue } = order;
  const isRefunded = state === 'PARTIALLY_REFUNDED' || state === 'REFUNDED' || orderHistory?.refundEvent;
  if (isRefunded || arrivedParts(order).length > 0 || !total || !tax || !revenue) return {};
  const { currencyCode } = total;
  const share = billionthsOf(total) - billionthsOf(tax) - billionthsOf(revenue);
  const isOfOneCurrency = tax.currencyCode === currencyCode && revenue.currencyCode === currencyCode;
  return isOfOneCurrency && share >= 0n
    ? { storeShare: { amount: decimalText(share, 9), currency: currencyCode } }
    : {};
}

/**
 * What was given back in parts, with an id each: Google has none for a refund, so the order's and the time at which it
 * was made stand for one, and a number where several were made at once. Those that are yet to arrive are numbered too:
 * an id once told stays with its refund.
 */
const partsOf = ({ orderId, orderHistory }: PlayOrder) =>
  (orderHistory?.partialRefundEvents ?? []).map((part, index, all) => {
    const earlier = all.slice(0, index).filter(({ createTime }) => createTime === part.createTime).length;
    return { ...part, refundId: `${orderId}:${part.createTime}${earlier > 0 ? `:${earlier}` : ''}` };
  });

type Part = ReturnType<typeof partsOf>[number];

const hasArrived = ({ state }: Part): boolean => state === 'PROCESSED_SUCCESSFULLY';
const arrivedParts = (order: PlayOrder) => partsOf(order).filter(hasArrived);

const isPaidBackInFull = ({ state, orderHistory }: PlayOrder): boolean =>
  state === 'REFUNDED' || orderHistory?.refundEvent != null;

/**
 * What was given back of an order. One that was cancelled before it was paid may have been booked by estimate as long
 * as it was not shown: all of that goes back.
 */
export function refundsOf(order: PlayOrder, observedAt: number): RefundFact[] {
  const { orderId: transactionId, orderHistory } = order;
  const partial = arrivedParts(order).flatMap(({ refundId, createTime, processTime, refundDetails }) => {
    const refundedAt = processTime ?? createTime;
    const amount = refundDetails?.total && playMoney(refundDetails.total);
    return amount ? [{ refundId, transactionId, refundedAt, amount, reason: null }] : [];
  });
  const full = orderHistory?.refundEvent;
  if (order.state === 'CANCELED')
    return [allOf(transactionId, orderHistory?.cancellationEvent?.eventTime ?? observedAt, 'canceled')];
  if (!isPaidBackInFull(order)) return partial;
  // "Fully refunded" is said of the order, whatever parts were given back before: so all that is left of it.
  const reason = full?.refundReason === 'CHARGEBACK' ? 'chargeback' : null;
  return [...partial, allOf(transactionId, full?.eventTime ?? observedAt, reason)];
}

/** The refund of all that is left of an order. */
export const allOf = (transactionId: string, refundedAt: number, reason: string | null): RefundFact => ({
  refundId: `${transactionId}:full`,
  transactionId,
  refundedAt,
  amount: null,
  reason,
});
