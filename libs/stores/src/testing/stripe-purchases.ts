import type {
  StripeBalanceTransactionObject,
  StripeChargeObject,
  StripeCheckoutObject,
  StripeInvoiceObject,
  StripePaymentIntentObject,
  StripePaymentObject,
  StripePhaseObject,
  StripeRefundObject,
  StripeSubscriptionObject,
} from './stripe-objects.ts';

const seconds = (ms: number) => Math.floor(ms / 1000);

/** The price that is bought, by Stripe's ids. */
export interface StripePriceIds {
  readonly productId: string;
  readonly priceId: string;
}

/** A period, in milliseconds. */
export interface StripePeriod {
  readonly startsAt: number;
  readonly endsAt: number;
}

/** What one piece costs a period, in the currency's smallest units; the currency in lower case. */
export interface StripeUnitPrice {
  readonly amount: number;
  readonly currency: string;
}

/** What is sold for a period: for 9.99 USD, unless said otherwise. */
type StripeSold = StripePriceIds & StripePeriod & Partial<StripeUnitPrice>;

const stripePrice = ({ productId, priceId, amount = 999, currency = 'usd' }: StripeSold) => ({
  id: priceId,
  product: productId,
  currency,
  unit_amount: amount,
});

/** An active subscription with one item: 9.99 USD, unless said otherwise. */
export function stripeSubscription(
  id: string,
  customer: string,
  sold: StripeSold,
  changes: Partial<StripeSubscriptionObject> = {},
): StripeSubscriptionObject {
  return {
    id,
    object: 'subscription',
    status: 'active',
    livemode: true,
    customer,
    created: seconds(sold.startsAt),
    currency: sold.currency ?? 'usd',
    trial_start: null,
    trial_end: null,
    cancel_at_period_end: false,
    cancel_at: null,
    canceled_at: null,
    ended_at: null,
    cancellation_details: null,
    metadata: {},
    discounts: [],
    schedule: null,
    items: {
      data: [
        {
          id: `si_${id}`,
          price: stripePrice(sold),
          quantity: 1,
          discounts: [],
          current_period_start: seconds(sold.startsAt),
          current_period_end: seconds(sold.endsAt),
        },
      ],
    },
    ...changes,
  };
}

/** A phase of a schedule, with one item: 9.99 USD, unless said otherwise. */
export const stripePhase = (sold: StripeSold, changes: Partial<StripePhaseObject> = {}): StripePhaseObject => ({
  start_date: seconds(sold.startsAt),
  end_date: seconds(sold.endsAt),
  trial_end: null,
  discounts: [],
  items: [{ price: stripePrice(sold), quantity: 1, discounts: [] }],
  ...changes,
});

/** A paid invoice of one line; its payment intent is `pi_<id>`. */
export function stripeInvoice(
  id: string,
  subscription: string,
  { productId, priceId, startsAt, endsAt }: StripePriceIds & StripePeriod,
  { amount, currency, isProration = false }: { amount: number; currency: string; isProration?: boolean },
  changes: Partial<StripeInvoiceObject> = {},
): StripeInvoiceObject {
  return {
    id,
    object: 'invoice',
    status: 'paid',
    livemode: true,
    amount_paid: amount,
    currency,
    created: seconds(startsAt),
    attempted: true,
    billing_reason: 'subscription_cycle',
    status_transitions: { paid_at: seconds(startsAt), finalized_at: seconds(startsAt) },
    parent: { type: 'subscription_details', subscription_details: { subscription } },
    lines: {
      data: [
        {
          amount,
          period: { start: seconds(startsAt), end: seconds(endsAt) },
          pricing: { type: 'price_details', price_details: { price: priceId, product: productId } },
          parent: {
            type: 'subscription_item_details',
            subscription_item_details: { proration: isProration, subscription },
          },
        },
      ],
    },
    payments: { data: [stripePayment(id, { amount, at: startsAt })] },
    ...changes,
  };
}

/** A payment of an invoice that arrived: `inpay_<id>` by `pi_<id>`, where `id` is the invoice's unless said otherwise. */
export const stripePayment = (
  invoice: string,
  { amount, at, id = invoice }: { amount: number; at: number; id?: string },
): StripePaymentObject => ({
  id: `inpay_${id}`,
  object: 'invoice_payment',
  invoice,
  amount_paid: amount,
  status: 'paid',
  status_transitions: { paid_at: seconds(at), canceled_at: null },
  payment: { type: 'payment_intent', payment_intent: `pi_${id}` },
});

/** A payment intent whose payment arrived; by which charge is not said. */
export const stripePaymentIntent = (
  id: string,
  { customer, amount, currency, at }: { customer: string | null; amount: number; currency: string; at: number },
  changes: Partial<StripePaymentIntentObject> = {},
): StripePaymentIntentObject => ({
  id,
  object: 'payment_intent',
  status: 'succeeded',
  amount_received: amount,
  currency,
  livemode: true,
  created: seconds(at),
  metadata: {},
  customer,
  latest_charge: null,
  ...changes,
});

/** A checkout that sold one price for a single payment. */
export const stripeCheckout = (
  id: string,
  { customer, paymentIntent, productId, priceId }: CheckedOut,
  changes: Partial<StripeCheckoutObject> = {},
): StripeCheckoutObject => ({
  id,
  object: 'checkout.session',
  mode: 'payment',
  metadata: {},
  customer,
  subscription: null,
  payment_intent: paymentIntent,
  line_items: { data: [{ price: { id: priceId, product: productId } }] },
  ...changes,
});

type CheckedOut = StripePriceIds & { readonly customer: string | null; readonly paymentIntent: string | null };

/** What Stripe took of an amount, both in the smallest units of the currency that it settles in. */
export const stripeBalanceTransaction = (
  id: string,
  { amount, fee, currency, at }: { amount: number; fee: number; currency: string; at: number },
): StripeBalanceTransactionObject => ({
  id,
  object: 'balance_transaction',
  amount,
  fee,
  net: amount - fee,
  currency,
  created: seconds(at),
});

/** The charge of a payment intent, which arrived; of it Stripe took nothing yet. */
export function stripeCharge(
  id: string,
  {
    customer,
    paymentIntent,
    amount,
    refunded = 0,
    currency,
    at,
  }: {
    customer: string;
    paymentIntent: string;
    amount: number;
    refunded?: number;
    currency: string;
    at: number;
  },
  changes: Partial<StripeChargeObject> = {},
): StripeChargeObject {
  return {
    id,
    object: 'charge',
    status: 'succeeded',
    customer,
    payment_intent: paymentIntent,
    balance_transaction: null,
    amount,
    amount_captured: amount,
    amount_refunded: refunded,
    refunded: refunded === amount,
    disputed: false,
    created: seconds(at),
    currency,
    ...changes,
  };
}

/** A refund that arrived. */
export function stripeRefund(
  id: string,
  charge: string,
  { amount, currency, at }: { amount: number; currency: string; at: number },
  changes: Partial<StripeRefundObject> = {},
): StripeRefundObject {
  const refund = { id, object: 'refund', charge, amount, currency, created: seconds(at) } as const;
  return { ...refund, status: 'succeeded', reason: null, balance_transaction: null, ...changes };
}
