import type { CancellationReason, SubscriptionFact, SubscriptionStatus, TransactionFact } from '@paywright/contracts';
import type { StripeInvoice, StripeSubscription } from './stripe-answers.ts';
import { stripeMoney } from './stripe-money.ts';

type Status = StripeSubscription['status'];

const statusOf: Record<Status, SubscriptionStatus> = {
  incomplete: 'pending',
  incomplete_expired: 'expired',
  trialing: 'trial',
  active: 'active',
  past_due: 'grace',
  unpaid: 'billing_retry',
  paused: 'paused',
  canceled: 'expired',
  unknown: 'unknown',
};
const ended: readonly Status[] = ['canceled', 'incomplete_expired'];
const notRenewing: readonly Status[] = [...ended, 'incomplete', 'paused', 'unknown'];
const unpaid: readonly Status[] = ['past_due', 'unpaid'];

/**
 * How the subscription stands.
 * @param invoices all of them, in any order
 * @param transactions the paid ones among them
 * @param isRefunded whether the newest of those was given back in full
 */
export function stripeSubscriptionFact(
  subscription: StripeSubscription,
  {
    invoices,
    transactions,
    isRefunded,
  }: {
    invoices: readonly StripeInvoice[];
    transactions: readonly TransactionFact[];
    isRefunded: boolean;
  },
): SubscriptionFact {
  const { status, trial_end: trialEnd, ended_at: endedAt } = subscription;
  const item = mainItem(subscription);
  const periodEnd = item.current_period_end ?? subscription.current_period_end ?? null;
  const runsUntil = status === 'trialing' ? (trialEnd ?? periodEnd) : periodEnd;
  const isEnded = ended.includes(status);
  return {
    status: statusOf[status],
    productId: item.price.product,
    basePlanId: item.price.id,
    offerId: null,
    transactionId: newest(transactions)?.transactionId ?? null,
    startsAt: item.current_period_start ?? subscription.current_period_start ?? subscription.created,
    // Cancelled is over at once, whatever was paid for.
    expiresAt: isEnded ? (endedAt ?? runsUntil) : runsUntil,
    graceExpiresAt: null,
    isOpenEnded: status === 'past_due',
    willRenew: willRenew(subscription),
    renewsAs: null,
    ...(willRenew(subscription) && renewalPriceOf(subscription)),
    unsubscribedAt: subscription.canceled_at ?? null,
    billingIssueAt: unpaid.includes(status) ? failedAt(invoices) : null,
    cancellationReason: reasonOf(subscription, isRefunded),
  };
}

/** The item that stands for the subscription: the one that runs longest, the first of equals. */
export function mainItem({ items }: StripeSubscription): StripeSubscription['items']['data'][number] {
  return items.data.reduce((main, item) =>
    (item.current_period_end ?? 0) > (main.current_period_end ?? 0) ? item : main,
  );
}

/** The paid period that began last. */
export const newest = (transactions: readonly TransactionFact[]): TransactionFact | null =>
  transactions.reduce<TransactionFact | null>(
    (last, each) => (!last || each.startsAt > last.startsAt ? each : last),
    null,
  );

/** What the one thing sold costs a period, without taxes that Stripe adds; nothing where a discount may change that. */
function renewalPriceOf({ items, discounts: ofAll }: StripeSubscription): Pick<SubscriptionFact, 'renewalPrice'> {
  const [item, ...others] = items.data;
  if (!item || others.length > 0 || ofAll || item.discounts) return {};
  const { price, quantity } = item;
  if (price.unit_amount == null || price.currency == null || quantity == null) return {};
  const amount = price.unit_amount * quantity;
  return Number.isSafeInteger(amount) ? { renewalPrice: stripeMoney(amount, price.currency) } : {};
}

function willRenew({ status, cancel_at_period_end: atPeriodEnd, cancel_at: cancelAt }: StripeSubscription): boolean {
  return !notRenewing.includes(status) && atPeriodEnd !== true && cancelAt == null;
}

/** When the payment that is missing fell due: the earliest invoice that was tried and is still open. */
function failedAt(invoices: readonly StripeInvoice[]): number | null {
  const open = invoices.filter(({ status, attempted }) => status === 'open' && attempted === true);
  const times = open.map(({ status_transitions, created }) => status_transitions?.finalized_at ?? created);
  return times.length > 0 ? Math.min(...times) : null;
}

function reasonOf(subscription: StripeSubscription, isRefunded: boolean): CancellationReason | null {
  const {
    status,
    cancellation_details: details,
    cancel_at_period_end: atPeriodEnd,
    cancel_at: cancelAt,
  } = subscription;
  const isEnded = ended.includes(status);
  if (!isEnded && atPeriodEnd !== true && cancelAt == null) return null;
  if (isEnded && isRefunded) return 'refund';
  const reason = details?.reason ?? 'unknown';
  if (reason === 'payment_failed') return 'billing_error';
  return reason === 'cancellation_requested' || !isEnded ? 'voluntarily_cancelled' : 'unknown';
}
