import type Stripe from 'stripe';

type Reference = string | null;
type Replace<T, Fields> = Omit<T, keyof Fields> & Fields;

/** Stripe's objects in the shapes of the library's own types, as far as they are used; references are ids. */
export type StripeSubscriptionObject = Replace<
  Pick<
    Stripe.Subscription,
    | 'id'
    | 'object'
    | 'status'
    | 'livemode'
    | 'created'
    | 'currency'
    | 'trial_start'
    | 'trial_end'
    | 'cancel_at_period_end'
    | 'cancel_at'
    | 'canceled_at'
    | 'ended_at'
    | 'metadata'
  > &
    Partial<Pick<Stripe.Subscription, 'pause_collection'>>,
  {
    customer: string;
    cancellation_details: Pick<NonNullable<Stripe.Subscription['cancellation_details']>, 'reason'> | null;
    discounts: string[];
    items: { data: StripeItemObject[] };
    /** The API tells its id. */
    schedule: StripeScheduleObject | null;
  }
>;
/** Of a customer, whatever it costs less. */
export type StripeDiscountObject = Pick<Stripe.Discount, 'id'>;
/** What the subscription becomes, phase by phase. */
export type StripeScheduleObject = Replace<
  Pick<Stripe.SubscriptionSchedule, 'id' | 'object' | 'end_behavior'>,
  { phases: StripePhaseObject[] }
>;
export type StripePhaseObject = Replace<
  Pick<Stripe.SubscriptionSchedule.Phase, 'start_date' | 'end_date' | 'trial_end'>,
  { discounts: object[]; items: { price: StripeItemObject['price']; quantity?: number; discounts: object[] }[] }
>;
export type StripeItemObject = Replace<
  Pick<Stripe.SubscriptionItem, 'id' | 'current_period_start' | 'current_period_end' | 'quantity'>,
  {
    discounts: string[];
    price: StripePriceObject;
  }
>;
type StripePriceObject = Pick<Stripe.Price, 'id' | 'currency' | 'unit_amount'> & {
  product: string;
  /** In other currencies; the API tells them when asked to. */
  currency_options?: Readonly<Record<string, Pick<Stripe.Price.CurrencyOptions, 'unit_amount'>>>;
};

interface StripeLineObject {
  /** What credit notes name it by. */
  readonly id?: string;
  readonly amount: number;
  /** None where it is absent. */
  readonly discount_amounts?: readonly { readonly amount: number; readonly discount: string }[];
  readonly period: Stripe.InvoiceLineItem.Period;
  readonly pricing: { readonly type: 'price_details'; readonly price_details: { price: string; product: string } };
  readonly parent:
    | {
        readonly type: 'subscription_item_details';
        readonly subscription_item_details: Pick<
          Stripe.InvoiceLineItem.Parent.SubscriptionItemDetails,
          'proration' | 'subscription'
        >;
      }
    | {
        readonly type: 'invoice_item_details';
        readonly invoice_item_details: Pick<
          Stripe.InvoiceLineItem.Parent.InvoiceItemDetails,
          'proration' | 'subscription'
        >;
      };
}
export interface StripePaymentObject extends Pick<
  Stripe.InvoicePayment,
  'id' | 'object' | 'amount_paid' | 'status' | 'status_transitions'
> {
  readonly invoice: string;
  readonly payment: {
    readonly type: 'payment_intent' | 'payment_record' | 'charge';
    readonly payment_intent?: Reference;
    readonly charge?: string;
    readonly payment_record?: string;
  };
}
export type StripeInvoiceObject = Replace<
  Pick<
    Stripe.Invoice,
    'id' | 'object' | 'status' | 'amount_paid' | 'currency' | 'created' | 'attempted' | 'billing_reason' | 'livemode'
  > &
    Partial<Pick<Stripe.Invoice, 'auto_advance' | 'total' | 'pre_payment_credit_notes_amount'>>,
  {
    /** What its credit notes gave back after it was paid; 0 where it is absent. */
    post_payment_credit_notes_amount?: number;
    status_transitions: Pick<Stripe.Invoice.StatusTransitions, 'paid_at' | 'finalized_at'>;
    parent: { type: 'subscription_details'; subscription_details: { subscription: string } } | null;
    lines: { data: StripeLineObject[] };
    payments: { data: StripePaymentObject[] };
  }
>;
export type StripeCreditNoteObject = Replace<
  Pick<
    Stripe.CreditNote,
    'id' | 'object' | 'status' | 'out_of_band_amount' | 'post_payment_amount' | 'currency' | 'created' | 'reason'
  >,
  {
    invoice: string;
    lines: { data: Pick<Stripe.CreditNoteLineItem, 'id' | 'type' | 'invoice_line_item' | 'amount'>[] };
    refunds: (
      | { refund: string; amount_refunded: number; type: 'refund' }
      | {
          refund: null;
          amount_refunded: number;
          type: 'payment_record_refund';
          payment_record_refund: { payment_record: string; refund_group: string };
        }
    )[];
  }
>;
export type StripeBalanceTransactionObject = Pick<
  Stripe.BalanceTransaction,
  'id' | 'object' | 'amount' | 'fee' | 'net' | 'currency' | 'created'
> &
  Partial<Pick<Stripe.BalanceTransaction, 'reporting_category'>>;
/** With what was taken of it, null as long as nothing was; the API answers its id unless it is to be expanded. */
interface Settled {
  readonly balance_transaction: StripeBalanceTransactionObject | null;
}
export type StripeChargeObject = Replace<
  Pick<
    Stripe.Charge,
    | 'id'
    | 'object'
    | 'status'
    | 'amount'
    | 'amount_captured'
    | 'amount_refunded'
    | 'refunded'
    | 'disputed'
    | 'created'
    | 'currency'
  >,
  { customer: Reference; payment_intent: Reference } & Settled
>;
export type StripeRefundObject = Replace<
  Pick<Stripe.Refund, 'id' | 'object' | 'amount' | 'currency' | 'created' | 'status' | 'reason'>,
  { charge: string } & Settled
>;
export type StripeDisputeObject = Replace<
  Pick<Stripe.Dispute, 'id' | 'object' | 'amount' | 'currency' | 'created' | 'status'>,
  { charge: string; balance_transactions?: StripeBalanceTransactionObject[] }
>;
export type StripePaymentIntentObject = Replace<
  Pick<
    Stripe.PaymentIntent,
    'id' | 'object' | 'status' | 'amount_received' | 'currency' | 'livemode' | 'created' | 'metadata'
  >,
  { customer: Reference; latest_charge: Reference }
>;
export type StripeCheckoutObject = Replace<
  Pick<Stripe.Checkout.Session, 'id' | 'object' | 'mode' | 'metadata'> &
    Partial<Pick<Stripe.Checkout.Session, 'status' | 'payment_status' | 'currency' | 'livemode' | 'created'>>,
  {
    customer: Reference;
    subscription: Reference;
    payment_intent: Reference;
    line_items: { data: { price: { id: string; product: string } }[] };
  }
>;
