import type { SignedNotification, SignedRenewal, SignedTransaction } from './signed-payloads.ts';
import { appleStatus, isCurrentPeriod, type SubscriptionParts } from './subscription-fact.ts';
import { kindOf } from './transaction-fact.ts';
import type { ChainParts } from './observation.ts';

/**
 * The types that change what we know. All others are recorded, those that Apple will think of included; some of them
 * (a declined refund, a request for consumption data) come with any old transaction of the chain.
 */
const effective: ReadonlySet<string> = new Set([
  'SUBSCRIBED',
  'DID_RENEW',
  'DID_FAIL_TO_RENEW',
  'GRACE_PERIOD_EXPIRED',
  'EXPIRED',
  'DID_CHANGE_RENEWAL_STATUS',
  'DID_CHANGE_RENEWAL_PREF',
  'OFFER_REDEEMED',
  'REFUND',
  'REFUND_REVERSED',
  'REVOKE',
  'RENEWAL_EXTENDED',
  'ONE_TIME_CHARGE',
  // Apple's reference and its list of changes name it differently.
  'MIGRATION',
  'MIGRATE',
]);

/** These name the transaction that they are about, be it of the current period or not. */
const aboutAnyPeriod: ReadonlySet<string> = new Set(['REFUND', 'REFUND_REVERSED', 'REVOKE']);

/** What a verified notification says of its chain; null if it says nothing that we use. */
export function notifiedParts(
  notification: SignedNotification,
  transaction: SignedTransaction | null,
  renewal: SignedRenewal | null,
): ChainParts | null {
  const { notificationType } = notification;
  if (transaction === null || !effective.has(notificationType)) return null;
  return {
    transactions: [transaction],
    subscription: renewal && subscriptionParts(notification, transaction, renewal),
    isRefundReversed: notificationType === 'REFUND_REVERSED',
  };
}

function subscriptionParts(
  { notificationType, subtype, signedDate, data }: SignedNotification,
  transaction: SignedTransaction,
  renewal: SignedRenewal,
): SubscriptionParts | null {
  const status = data?.status ?? null;
  if (kindOf(transaction) !== 'subscription') return null;
  if (aboutAnyPeriod.has(notificationType) && !tellsOfNow(transaction, status)) return null;
  // Of a plan of twelve months that are paid one by one it says that no other twelve follow: what is left renews.
  const renews = renewal.autoRenewStatus === 1;
  const isSwitchedOff =
    notificationType === 'DID_CHANGE_RENEWAL_STATUS' && subtype === 'AUTO_RENEW_DISABLED' && !renews;
  return {
    transaction,
    renewal,
    status,
    expirySubtype: notificationType === 'EXPIRED' ? (subtype ?? null) : null,
    unsubscribedAt: isSwitchedOff ? signedDate : null,
  };
}

/**
 * Whether the named transaction is of the current period. A subscription that goes on in spite of its refund does so
 * by another transaction: an upgrade, or a purchase since.
 */
function tellsOfNow(transaction: SignedTransaction, status: number | null): boolean {
  if (status === appleStatus.revoked) return true;
  const goesOn = status !== null && status !== appleStatus.expired;
  return isCurrentPeriod(transaction) && !(goesOn && transaction.revocationDate != null);
}
