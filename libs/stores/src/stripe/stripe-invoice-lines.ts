import type { StripeInvoice, StripeInvoiceLine } from './stripe-answers.ts';

export const isProration = ({ parent, proration }: StripeInvoiceLine): boolean =>
  (parent?.subscription_item_details?.proration ?? parent?.invoice_item_details?.proration ?? proration) === true;

/** Whether somebody put it on the invoice by hand, as a single fee. */
export const isBeside = (line: StripeInvoiceLine): boolean =>
  line.parent?.type === 'invoice_item_details' && !isProration(line);

export const soldBy = ({ pricing, price }: StripeInvoiceLine) => ({
  productId: pricing?.price_details?.product ?? price?.product,
  basePlanId: pricing?.price_details?.price ?? price?.id,
});

/** Whether the invoice began that period of the product. */
export const beganPeriod = ({ lines }: StripeInvoice, product: string, startedAt: number): boolean =>
  lines.data.some(
    (line) =>
      !isProration(line) && !isBeside(line) && soldBy(line).productId === product && line.period.start === startedAt,
  );
