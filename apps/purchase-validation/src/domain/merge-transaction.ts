import { PaidAddOn, type PartPayment, type TransactionFact } from '@paywright/contracts';
import { microsOf } from '@paywright/purchases';

type Price = Pick<TransactionFact, 'price' | 'isEstimate' | 'storeShare'>;

/**
 * What is known of a transaction after both were seen, in either order. A purchase is one thing: what it is stays as
 * first seen, and only what a store can come to know later is taken from either.
 */
export const mergeTransaction = (known: TransactionFact, seen: TransactionFact): TransactionFact => ({
  ...known,
  purchaseId: known.purchaseId ?? seen.purchaseId,
  ...better(known, seen),
  ...begun(known, seen),
  expiresAt: later(known.expiresAt, seen.expiresAt),
  isUpgraded: known.isUpgraded || seen.isUpgraded,
  isPlanChange: known.isPlanChange ?? seen.isPlanChange,
  // An earlier version took an assigned seat for a purchase.
  isFamilyShared: known.isFamilyShared || seen.isFamilyShared,
  offer: known.offer ?? seen.offer,
  originallyPurchasedAt: known.originallyPurchasedAt ?? seen.originallyPurchasedAt,
  ...addOnsOf(known, seen),
  ...paymentsOf(known, seen),
  buysPeriod: known.buysPeriod === false ? seen.buysPeriod : known.buysPeriod,
  isInArrears: known.isInArrears ?? seen.isInArrears,
  isFree: known.isFree ?? seen.isFree,
});

/** All that either paid for, each as first seen: of its add-ons an order that could not be read says nothing. */
function addOnsOf(known: TransactionFact, seen: TransactionFact): Pick<TransactionFact, 'addOns'> {
  const paid = new Map([...partsOf(seen), ...partsOf(known)].map((part) => [part.productId, part]));
  // Of what was told before anybody told such things apart.
  for (const { productId, expiresAt, isOneTime, isInArrears, isFree } of partsOf(seen)) {
    if (isOneTime) paid.set(productId, { ...paid.get(productId)!, expiresAt, isOneTime });
    if (isInArrears) paid.set(productId, { ...paid.get(productId)!, isInArrears });
    if (isFree) paid.set(productId, { ...paid.get(productId)!, isFree });
  }
  paid.delete(known.productId);
  return paid.size > 0 ? { addOns: [...paid.values()].sort(byProduct) } : {};
}

const partsOf = ({ addOns = [], ...own }: TransactionFact): readonly PaidAddOn[] =>
  addOns.length > 0 ? [PaidAddOn.parse(own), ...addOns] : [];
const byProduct = (a: PaidAddOn, b: PaidAddOn) => (a.productId < b.productId ? -1 : 1);

/** A payment that arrived stays. */
function paymentsOf(known: TransactionFact, seen: TransactionFact): Pick<TransactionFact, 'payments'> {
  const each = [...(seen.payments ?? []), ...(known.payments ?? [])];
  const payments = [...new Map(each.map((payment) => [payment.paymentId, payment])).values()].sort(byPayment);
  return payments.length > 0 ? { payments } : {};
}

const byPayment = (a: PartPayment, b: PartPayment) => a.paidAt - b.paidAt || (a.paymentId < b.paymentId ? -1 : 1);

/**
 * What was paid beats a list price, which beats nothing. Of two payments the greater: an invoice can be paid bit by
 * bit, and what goes back is a refund. Of two list prices the lesser, so that revenue is never told too high. The
 * store's share is one of that price; it can become known after it.
 */
function better(known: Price, seen: Price): Price {
  const [rankKnown, rankSeen] = [rank(known), rank(seen)];
  if (rankKnown !== rankSeen) return priceOf(rankSeen > rankKnown ? seen : known);
  if (!known.price || !seen.price) return priceOf(known);
  const [a, b] = [microsOf(known.price.amount), microsOf(seen.price.amount)];
  if (a === b && seen.price.currency === known.price.currency)
    return { ...priceOf(known), storeShare: known.storeShare ?? seen.storeShare };
  if (a === b) return priceOf(seen.price.currency > known.price.currency ? seen : known);
  return priceOf(b > a === !seen.isEstimate ? seen : known);
}

/**
 * Who says what was paid says also when: without its order, another moment stands in at Play for that of a purchase. Of
 * two such moments the earlier. What a product's period began with is not said by another product of the same order.
 */
function begun(known: TransactionFact, seen: TransactionFact): Pick<TransactionFact, 'purchasedAt' | 'startsAt'> {
  const byRank = rank(seen) - rank(known);
  const earlier = (a: number, b: number) => (byRank === 0 ? Math.min(a, b) : byRank > 0 ? b : a);
  return {
    purchasedAt: earlier(known.purchasedAt, seen.purchasedAt),
    startsAt: known.productId === seen.productId ? earlier(known.startsAt, seen.startsAt) : known.startsAt,
  };
}

const rank = ({ price, isEstimate }: Price): number => (price === null ? 0 : isEstimate ? 1 : 2);
const priceOf = ({ price, isEstimate, storeShare }: Price): Price => ({ price, isEstimate, storeShare });
const later = (a: number | null, b: number | null) => (a === null || b === null ? (a ?? b) : Math.max(a, b));
