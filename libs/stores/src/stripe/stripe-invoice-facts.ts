import type { Phase, RefundFact, TransactionFact } from '@paywright/contracts';
import type {
  StripeCharge,
  StripeDispute,
  StripeInvoice,
  StripeInvoiceLine,
  StripeRefund,
  StripeSubscription,
} from './stripe-answers.ts';
import { stripeStoreShare } from './stripe-charges.ts';
import { stripeMoney } from './stripe-money.ts';
import { mainItem } from './stripe-subscription-fact.ts';

/**
 * What a paid invoice of the subscription bought; null for one that is not paid. A trial's is paid with nothing.
 * @param charges those that were to pay it
 */
export function stripeTransactionFact(
  invoice: StripeInvoice,
  subscription: StripeSubscription,
  charges: readonly StripeCharge[] = [],
): TransactionFact | null {
  const line = mainLine(invoice);
  if (invoice.status !== 'paid' || !line) return null;
  const { price: item } = mainItem(subscription);
  const price = line.pricing?.price_details;
  const { amount_paid: amount, currency } = invoice;
  return {
    transactionId: invoice.id,
    kind: 'subscription',
    productId: price?.product ?? line.price?.product ?? item.product,
    basePlanId: price?.price ?? line.price?.id ?? item.id,
    offerId: null,
    phase: phaseOf(line, subscription),
    purchasedAt: invoice.status_transitions?.paid_at ?? invoice.created,
    startsAt: line.period.start,
    expiresAt: line.period.end,
    price: stripeMoney(amount, currency),
    isEstimate: false,
    isFamilyShared: false,
    isUpgraded: false,
    ...stripeStoreShare(charges, { amount, currency }),
  };
}

/** Money that went back: refunds that arrived, and disputes that were lost. One that failed gave nothing back. */
export function stripeRefundFacts(
  transactionId: string,
  refunds: readonly StripeRefund[],
  disputes: readonly StripeDispute[],
): RefundFact[] {
  const arrived = refunds.filter(({ status }) => status === 'succeeded');
  const lost = disputes
    .filter(({ status }) => status === 'lost')
    .map((dispute) => ({ ...dispute, reason: 'disputed', balance_transaction: null }));
  return [...arrived, ...lost].map(({ id, created, amount, currency, reason, balance_transaction: taken }) => ({
    refundId: id,
    transactionId,
    refundedAt: created,
    amount: stripeMoney(amount, currency),
    reason: reason ?? null,
    ...(taken && { storeShare: stripeMoney(taken.fee, taken.currency) }),
  }));
}

/** Ids of those that came to nothing, some perhaps after they had succeeded. */
export const failedRefundIds = (refunds: readonly StripeRefund[]): string[] =>
  refunds.filter(({ status }) => status === 'failed' || status === 'canceled').map(({ id }) => id);

const isProration = ({ parent, proration }: StripeInvoiceLine): boolean =>
  (parent?.subscription_item_details?.proration ?? parent?.invoice_item_details?.proration ?? proration) === true;

/** The line that stands for the invoice: of full periods the one that ends last, else the dearest of the prorated. */
function mainLine({ lines }: StripeInvoice): StripeInvoiceLine | undefined {
  const full = lines.data.filter((line) => !isProration(line));
  const [main] =
    full.length > 0
      ? full.sort((a, b) => b.period.end - a.period.end)
      : [...lines.data].sort((a, b) => b.amount - a.amount);
  return main;
}

function phaseOf(line: StripeInvoiceLine, { trial_end: trialEnd }: StripeSubscription): Phase {
  if (trialEnd != null && line.period.end <= trialEnd && line.amount === 0) return 'trial';
  return isProration(line) ? 'prorated' : 'regular';
}
