import type { Money, Offer, Phase, RefundFact, TransactionFact } from '@paywright/contracts';
import { amountOf, shareOf } from './milliunits.ts';
import {
  autoRenewable,
  billingPlanOf,
  nonConsumable,
  priceOfSeats,
  type SignedTransaction,
  type SoldItem,
} from './signed-payloads.ts';

const kinds: Readonly<Record<string, TransactionFact['kind']>> = {
  [autoRenewable]: 'subscription',
  'Non-Renewing Subscription': 'one_time',
  [nonConsumable]: 'one_time',
  Consumable: 'one_time',
};

/** What was bought; null for a type that is new to us: it grants nothing. */
export const kindOf = ({ type }: SignedTransaction): TransactionFact['kind'] | null =>
  Object.hasOwn(kinds, type) ? kinds[type]! : null;

/** A family shares it, or a group or organization assigned one of its seats: each member's transaction tells the price of all. */
export const isPaidByAnother = ({ inAppOwnershipType }: SignedTransaction) =>
  inAppOwnershipType === 'FAMILY_SHARED' || inAppOwnershipType === 'ASSIGNED';

/**
 * Whether it paid for seats that were added to a period. All transactions of the period say so: what paid for the period itself
 * began with it, renewed it, or bought it anew.
 */
const isSeatAddition = (transaction: SignedTransaction, boughtAnewAt: number | null): boolean =>
  transaction.additionalTransactionReason === 'SEAT_ADDITION' &&
  transaction.transactionReason === 'PURCHASE' &&
  transaction.purchaseDate > (transaction.originalPurchaseDate ?? transaction.purchaseDate) &&
  transaction.purchaseDate !== boughtAnewAt;

/**
 * By `offerDiscountType` alone: `offerType` 1 marks paid introductions too.
 * @param boughtAnewAt see transactionFact; null also where it does not matter whether seats were added
 */
export function phaseOf(transaction: SignedTransaction, boughtAnewAt: number | null = null): Phase {
  if (kindOf(transaction) !== 'subscription') return 'regular';
  if (transaction.offerDiscountType === 'FREE_TRIAL') return 'trial';
  if (isSeatAddition(transaction, boughtAnewAt)) return 'prorated';
  return transaction.offerDiscountType == null ? 'regular' : 'intro';
}

/**
 * The transaction as a fact; null if it is of a type that is new to us.
 * @param boughtAnewAt when the subscription was last bought after a lapse, in milliseconds; null if that is not known
 */
export function transactionFact(transaction: SignedTransaction, boughtAnewAt: number | null): TransactionFact | null {
  const kind = kindOf(transaction);
  if (kind === null) return null;
  const { transactionReason, originalPurchaseDate, purchaseDate } = transaction;
  const isAnew = boughtAnewAt !== null && boughtAnewAt <= purchaseDate && boughtAnewAt > (originalPurchaseDate ?? 0);
  const boughtAt = isAnew ? boughtAnewAt : originalPurchaseDate;
  const goesOn = transactionReason === 'RENEWAL' || isSeatAddition(transaction, boughtAnewAt);
  return {
    transactionId: transaction.transactionId,
    ...purchaseIdOf(transaction),
    kind,
    productId: transaction.productId,
    basePlanId: billingPlanOf(transaction.billingPlanType),
    offerId: transaction.offerIdentifier ?? null,
    phase: phaseOf(transaction, boughtAnewAt),
    purchasedAt: purchaseDate,
    ...(goesOn && boughtAt != null && { originallyPurchasedAt: boughtAt }),
    startsAt: purchaseDate,
    expiresAt: kind === 'subscription' ? (transaction.expiresDate ?? null) : null,
    price: pricePaid(transaction),
    isEstimate: false,
    isFamilyShared: isPaidByAnother(transaction),
    isUpgraded: transaction.isUpgraded ?? false,
    ...(isForNothing(transaction) && { isFree: true }),
    offer: offerOf(transaction),
  };
}

/**
 * A purchase that is restored or comes to another device may get another transaction id. What stays is the line item's
 * id of a subscription's period, and the original id of what is bought once for ever.
 */
function purchaseIdOf(transaction: SignedTransaction): Pick<TransactionFact, 'purchaseId'> {
  const { type, webOrderLineItemId, originalTransactionId } = transaction;
  const purchaseId =
    type === autoRenewable ? webOrderLineItemId : type === nonConsumable ? originalTransactionId : null;
  return purchaseId == null ? {} : { purchaseId };
}

const offerTypes: ReadonlyMap<string | null | undefined, Offer['type']> = new Map([
  ['FREE_TRIAL', 'free_trial'],
  ['PAY_AS_YOU_GO', 'pay_as_you_go'],
  ['PAY_UP_FRONT', 'pay_up_front'],
]);
const introductory = 1;

/** The offer that the period was bought under: an introduction, else a promotion, an offer code or one to win back. */
function offerOf({ offerType, offerDiscountType }: SignedTransaction): Offer | null {
  if (offerType == null && offerDiscountType == null) return null;
  const kind = (offerType ?? introductory) === introductory ? 'introductory' : 'promotional';
  return { kind, type: offerTypes.get(offerDiscountType) ?? null };
}

/**
 * The money that went back: of single items or seats, and, once the transaction is revoked, of all that is left of it.
 * Access that another paid for is revoked without money. A prorated refund without its share is no fact about money either.
 */
export function refundFacts(transaction: SignedTransaction): RefundFact[] {
  const { transactionId, revocationDate, revocationReason } = transaction;
  const ofItems = [...itemRefunds(transaction), ...seatRefunds(transaction)];
  if (revocationDate == null || takenWithoutMoney(transaction)) return ofItems;
  const amount = amountRefunded(transaction);
  const whole: RefundFact = {
    refundId: `${transactionId}:${revocationDate}`,
    transactionId,
    refundedAt: revocationDate,
    amount,
    reason: revocationReason === 1 ? 'issue' : revocationReason === 0 ? 'other' : null,
    // The share is one of the whole quantity, of which more can go back later.
    ...(amount && { isCumulative: true }),
  };
  return [...ofItems, whole];
}

/**
 * Refunds of single items, as an app with the Advanced Commerce API makes them: they can leave the purchase. Apple gives them
 * no id, so the item and the time stand for one, and a number where several were made at once.
 */
function itemRefunds(transaction: SignedTransaction): RefundFact[] {
  const { transactionId, currency } = transaction;
  if (pricePaid(transaction) === null || currency == null || isPaidByAnother(transaction)) return [];
  return itemsOf(transaction).flatMap((item) =>
    (item.refunds ?? []).flatMap((refund, index, all) => {
      const [given, refundedAt] = [itemAmount(item, refund), refund.refundDate ?? null];
      if (given === null || refundedAt === null) return [];
      const earlier = all.slice(0, index).filter(({ refundDate }) => refundDate === refundedAt).length;
      const refundId = `${transactionId}:${item.SKU}:${refundedAt}${earlier > 0 ? `:${earlier}` : ''}`;
      const amount = { amount: amountOf(given), currency };
      return { refundId, transactionId, refundedAt, amount, reason: refund.refundReason ?? null, isOfItem: true };
    }),
  );
}

/**
 * What went back of some seats so far, where the others stay: a share of what all cost, without a date of its own. Without the
 * share it is no fact about money.
 */
function seatRefunds(transaction: SignedTransaction): RefundFact[] {
  const { transactionId, signedDate, revocationDate, revocationPercentage, multiSeatInfo } = transaction;
  const [price, paid, seats] = [priceOf(transaction), pricePaid(transaction), multiSeatInfo?.revokedSeatQuantity ?? 0];
  const isWhole = revocationDate != null;
  if (isWhole || seats <= 0 || !revocationPercentage || price === null || paid === null) return [];
  if (isPaidByAnother(transaction)) return [];
  const amount = { amount: shareOf(price, revocationPercentage), currency: paid.currency };
  const refundId = `${transactionId}:seats:${seats}`;
  const told = { refundId, transactionId, refundedAt: signedDate, amount, reason: null };
  return [{ ...told, isCumulative: true, isOfItem: true }];
}

const itemsOf = ({ advancedCommerceInfo: info }: SignedTransaction): readonly SoldItem[] => info?.items ?? [];

/** null: not said. */
const itemAmount = ({ price }: SoldItem, { refundAmount, refundType }: NonNullable<SoldItem['refunds']>[number]) =>
  refundAmount ?? (refundType === 'FULL' ? price : null) ?? null;

/** Whether the store took the transaction back, and its items tell all that it gave for it, if anything. */
export const takenWithoutMoney = (transaction: SignedTransaction): boolean =>
  endedWithoutMoney(transaction) || (transaction.revocationDate != null && isToldByItems(transaction));

function isToldByItems(transaction: SignedTransaction): boolean {
  const items = itemsOf(transaction);
  const isTold = (item: SoldItem) => (item.refunds ?? []).some((refund) => itemAmount(item, refund) !== null);
  return items.length > 0 && items.every(isTold) && itemRefunds(transaction).length > 0;
}

/** Whether the store took the transaction back and gave no money for it, as far as it says. */
export const endedWithoutMoney = (transaction: SignedTransaction) =>
  transaction.revocationDate != null &&
  (isPaidByAnother(transaction) ||
    transaction.revocationType === 'FAMILY_REVOKE' ||
    !(isRefundedInFull(transaction) || transaction.revocationPercentage));

/**
 * Before Apple told the type, a transaction that was taken back was refunded, for an issue of the app (1) or for another reason
 * (0): unless another plan or a bundle took its place. Of that a share goes back.
 */
function isRefundedInFull({ revocationType, revocationReason, isUpgraded }: SignedTransaction): boolean {
  if (revocationType != null) return revocationType === 'REFUND_FULL';
  return revocationReason == null ? isUpgraded !== true : revocationReason === 0 || revocationReason === 1;
}

/** A free trial is one by its phase, whatever offer it is, and what another paid for was paid for. */
const isForNothing = (transaction: SignedTransaction): boolean =>
  Number(priceOf(transaction) ?? NaN) === 0 && phaseOf(transaction) !== 'trial' && !isPaidByAnother(transaction);

/** Of all its seats, in thousandths. */
const priceOf = ({ price, multiSeatInfo }: SignedTransaction): number | bigint | null =>
  priceOfSeats(multiSeatInfo?.priceTiers) ?? price ?? null;

function pricePaid(transaction: SignedTransaction): Money | null {
  const { currency } = transaction;
  const price = priceOf(transaction);
  if (price === null || currency == null || !/^[A-Z]{3}$/.test(currency)) return null;
  const isFree = phaseOf(transaction) === 'trial' || isPaidByAnother(transaction);
  return { amount: isFree ? '0' : amountOf(price), currency };
}

/** null: all of it. */
function amountRefunded(transaction: SignedTransaction): Money | null {
  const { revocationPercentage } = transaction;
  const [price, paid] = [priceOf(transaction), pricePaid(transaction)];
  if (isRefundedInFull(transaction) || paid === null || price === null) return null;
  return { amount: shareOf(price, revocationPercentage ?? 100_000), currency: paid.currency };
}
