import type { StripeInvoice, StripeInvoiceLine, StripeSubscription } from './stripe-answers.ts';

export const isProration = ({ parent, proration }: StripeInvoiceLine): boolean =>
  (parent?.subscription_item_details?.proration ?? parent?.invoice_item_details?.proration ?? proration) === true;

/** Whether somebody put it on the invoice by hand, as a single fee. */
export const isBeside = (line: StripeInvoiceLine): boolean =>
  line.parent?.type === 'invoice_item_details' && !isProration(line);

/** Whether nothing of it was to be paid: with discounts taken off, but not the customer's balance. */
export const isForNothing = ({ amount, discount_amounts: discounts }: StripeInvoiceLine): boolean =>
  amount <= (discounts ?? []).reduce((sum, discount) => sum + discount.amount, 0);

export const soldBy = ({ pricing, price }: StripeInvoiceLine) => ({
  productId: pricing?.price_details?.product ?? price?.product,
  basePlanId: pricing?.price_details?.price ?? price?.id,
});

/** Whether it is charged behind its period, as what is metered is, and the next one began with the invoice. */
export function isInArrears(
  line: StripeInvoiceLine,
  { billing_reason: reason, created }: StripeInvoice,
  { ended_at: endedAt }: StripeSubscription,
): boolean {
  const { end } = line.period;
  const isOfPeriod = reason === 'subscription_cycle' && !isProration(line) && !isBeside(line);
  return isOfPeriod && end <= created && end !== endedAt;
}

/** Whether the invoice began the product's period that started then. */
export const beganPeriod = (
  invoice: StripeInvoice,
  subscription: StripeSubscription,
  { product, startedAt }: { product: string; startedAt: number },
): boolean =>
  invoice.lines.data.some((line) => {
    if (isProration(line) || isBeside(line) || soldBy(line).productId !== product) return false;
    return startedAt === (isInArrears(line, invoice, subscription) ? line.period.end : line.period.start);
  });
