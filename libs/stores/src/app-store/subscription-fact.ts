import type { CancellationReason, SubscriptionFact, SubscriptionStatus } from '@paywright/contracts';
import { amountOf } from './milliunits.ts';
import { billingPlanOf, priceOfSeats, type SignedRenewal, type SignedTransaction } from './signed-payloads.ts';
import { endedWithoutMoney, isPaidByAnother, phaseOf } from './transaction-fact.ts';

/** The parts of one signed answer that belong together. `status` is Apple's, 1 to 5; null where it was not said. */
export interface SubscriptionParts {
  readonly transaction: SignedTransaction;
  readonly renewal: SignedRenewal;
  readonly status: number | null;
  /** What a notification says of why the subscription expired. */
  readonly expirySubtype: string | null;
  /** When the customer turned renewal off, as far as this answer tells. */
  readonly unsubscribedAt: number | null;
}

export const appleStatus = { active: 1, expired: 2, billingRetry: 3, grace: 4, revoked: 5 } as const;

const reasonBySubtype: Readonly<Record<string, CancellationReason>> = {
  VOLUNTARY: 'voluntarily_cancelled',
  BILLING_RETRY: 'billing_error',
  PRICE_INCREASE: 'price_increase',
  PRODUCT_NOT_FOR_SALE: 'product_was_not_available',
};

/** By `expirationIntent`, from 1; 5 is Apple's own 'other'. */
const reasonByIntent: readonly (CancellationReason | undefined)[] = [
  undefined,
  'voluntarily_cancelled',
  'billing_error',
  'price_increase',
  'product_was_not_available',
];

/**
 * How the subscription stands, as of the moment its parts were signed.
 * @param parts with `transaction.expiresDate`, and of the subscription's current period
 * @param graceMs how long a grace period counts from the period's end if the store does not say when it ends
 */
export function subscriptionFact(parts: SubscriptionParts, graceMs: number): SubscriptionFact {
  const { transaction, renewal } = parts;
  const status = statusOf(parts);
  const expiresAt = transaction.expiresDate ?? transaction.purchaseDate;
  const renewsAutomatically = renewal.autoRenewStatus === 1 && status !== 'expired' && status !== 'revoked';
  const { autoRenewProductId } = renewal;
  return {
    status,
    productId: transaction.productId,
    basePlanId: billingPlanOf(transaction.billingPlanType),
    offerId: transaction.offerIdentifier ?? null,
    transactionId: transaction.transactionId,
    startsAt: transaction.purchaseDate,
    expiresAt,
    graceExpiresAt: status === 'grace' ? (renewal.gracePeriodExpiresDate ?? expiresAt + graceMs) : null,
    isOpenEnded: false,
    willRenew: renewsAutomatically,
    renewsAs:
      renewsAutomatically && autoRenewProductId != null && autoRenewProductId !== transaction.productId
        ? autoRenewProductId
        : null,
    ...(renewsAutomatically && !renewsOtherwise(parts) && renewalPriceOf(renewal)),
    unsubscribedAt: parts.unsubscribedAt,
    // Apple bills at the period's end or shortly before: whenever the news comes, the failure is not later than that.
    billingIssueAt: status === 'grace' || status === 'billing_retry' ? Math.min(expiresAt, renewal.signedDate) : null,
    cancellationReason: renewsAutomatically ? null : cancellationReason(parts, status),
  };
}

/** Whether the transaction's period holds the moment at which the store signed it, so that it can be the current one. */
export const isCurrentPeriod = ({ purchaseDate, expiresDate, signedDate, isUpgraded }: SignedTransaction) =>
  isUpgraded !== true && purchaseDate <= signedDate && expiresDate != null && signedDate < expiresDate;

/** Whether the next period is another one of the same product: a year that is paid at once, or a month of one. */
const renewsOtherwise = ({ transaction, renewal }: SubscriptionParts): boolean =>
  renewal.renewalBillingPlanType != null &&
  billingPlanOf(renewal.renewalBillingPlanType) !== billingPlanOf(transaction.billingPlanType);

/** Of all seats. Of several the price alone is that of one, on average. */
function renewalPriceOf(renewal: SignedRenewal): Pick<SubscriptionFact, 'renewalPrice'> {
  const { renewalPrice, currency, renewalQuantity, multiSeatInfo } = renewal;
  const ofOne = (renewalQuantity ?? 1) > 1 ? null : renewalPrice;
  const price = priceOfSeats(multiSeatInfo?.renewalPriceTiers) ?? ofOne;
  return price == null || currency == null ? {} : { renewalPrice: { amount: amountOf(price), currency } };
}

/** Entitled status only for what Apple calls active or in grace; a status that is new to us is 'unknown'. */
function statusOf({ transaction, renewal, status }: SubscriptionParts): SubscriptionStatus {
  // Seats that were added to the period may be given back, and the others not.
  const isPart = transaction.additionalTransactionReason != null && status !== null;
  if (transaction.revocationDate != null && !isPart) return 'revoked';
  switch (status ?? impliedStatus(transaction, renewal)) {
    case appleStatus.active:
      return activeStatus[phaseOf(transaction)];
    case appleStatus.expired:
      return 'expired';
    case appleStatus.billingRetry:
      return 'billing_retry';
    case appleStatus.grace:
      return 'grace';
    case appleStatus.revoked:
      return 'revoked';
    default:
      return 'unknown';
  }
}

const activeStatus = { trial: 'trial', intro: 'intro', regular: 'active', prorated: 'active' } as const;

function impliedStatus(transaction: SignedTransaction, renewal: SignedRenewal): number {
  if (isCurrentPeriod(transaction)) return appleStatus.active;
  if ((renewal.gracePeriodExpiresDate ?? 0) > renewal.signedDate) return appleStatus.grace;
  return renewal.isInBillingRetryPeriod === true ? appleStatus.billingRetry : appleStatus.expired;
}

function cancellationReason(parts: SubscriptionParts, status: SubscriptionStatus): CancellationReason {
  const { transaction, renewal, expirySubtype } = parts;
  if (transaction.isUpgraded === true) return 'upgraded';
  if (status === 'revoked')
    return isPaidByAnother(transaction) || endedWithoutMoney(transaction) ? 'unknown' : 'refund';
  if (expirySubtype !== null && Object.hasOwn(reasonBySubtype, expirySubtype)) return reasonBySubtype[expirySubtype]!;
  if (renewal.expirationIntent != null) return reasonByIntent[renewal.expirationIntent] ?? 'unknown';
  return status === 'expired' ? 'unknown' : 'voluntarily_cancelled';
}
