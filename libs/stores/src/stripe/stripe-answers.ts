import { z } from 'zod';
import { openEnum } from '../store-answer.ts';

/** Seconds since the epoch, read as milliseconds. */
const instant = z.int().transform((seconds) => seconds * 1000);
const id = z.string().min(1).max(255);
/** An object's id, whether it is given alone or with the object around it. */
const reference = z.union([id, z.object({ id }).transform((object) => object.id)]);
const currency = z.string().regex(/^[a-zA-Z]{3}$/);
/** What an object holds several of. Within it stand ten at most. */
const listOf = <Rows extends z.ZodType>(rows: Rows) => z.object({ data: rows, has_more: z.boolean().nullish() });

/** What our customers write on their own objects; of it only these are read. The second is personal. */
const Metadata = z
  .object({
    profileId: z.string().max(255).nullish().catch(null),
    customerUserId: z.string().max(255).nullish().catch(null),
    /** Of the paywall that sold it. Stripe keeps texts alone; `unread`: one that is no id. */
    paywallId: z
      .string()
      .regex(/^\d+$/)
      .transform(Number)
      .pipe(z.int32())
      .or(
        z
          .string()
          .min(1)
          .transform(() => 'unread' as const),
      )
      .nullish()
      .catch(null),
  })
  .nullish();

const Price = z.object({ id, product: reference });
export type StripePrice = z.output<typeof Price>;
const period = { current_period_start: instant.nullish(), current_period_end: instant.nullish() };

/** Whether there are discounts; a list that cannot be read may hold some. */
const hasDiscounts = z
  .array(z.unknown())
  .nullish()
  .transform((discounts) => (discounts?.length ?? 0) > 0)
  .catch(true);

/** What cannot be read of an amount is no reason to refuse the rest. */
const unitAmount = z.int().nonnegative().nullish().catch(null);
const PeriodPrice = Price.extend({
  unit_amount: unitAmount,
  /** Of what is sold by the package, not by the piece. */
  transform_quantity: z.unknown().optional(),
  currency: currency.nullish().catch(null),
  /** Of a price that has amounts in several currencies; `currency` is the one that it is told in by default. */
  currency_options: z
    .record(z.string(), z.object({ unit_amount: unitAmount }))
    .nullish()
    .catch(null),
});
const charged = { quantity: z.int().nonnegative().nullish().catch(null), discounts: hasDiscounts };

/** An item is sold at its price as a trial, for nothing or for less; what it costs behind that is not told here. */
const CurrentTrial = z
  .object({ start_date: instant.nullish(), end_date: instant.nullish() })
  .nullish()
  .catch({ end_date: null });

/** What is sold by the period. */
const SubscriptionItem = z.object({ price: PeriodPrice, ...charged, ...period, current_trial: CurrentTrial });
export const StripeItems = z.array(SubscriptionItem).min(1);

/** What a subscription is for a time. Of a price that is gone nothing is known. */
const Phase = z.object({
  start_date: instant,
  end_date: instant,
  trial_end: instant.nullish(),
  discounts: hasDiscounts,
  items: z.array(z.object({ price: PeriodPrice.nullable().catch(null), ...charged })),
});
export type StripePhase = z.output<typeof Phase>;

/** What becomes of a subscription, phase by phase. */
export const StripeSchedule = z
  .object({ end_behavior: openEnum(['release', 'cancel', 'renew', 'none']), phases: z.array(Phase) })
  .or(z.literal('unread'))
  .catch('unread');
type StripeSchedule = z.output<typeof StripeSchedule>;

/**
 * Whom a subscription is of. Of who is told by the id alone it is not known whether everything costs them less; of who
 * was deleted, little more than the id is left.
 */
const Customer = z.union([
  id.transform((customer) => ({ id: customer, isDiscounted: true })),
  z
    .object({ id, discount: z.unknown().optional() })
    .transform(({ id, discount }) => ({ id, isDiscounted: discount != null })),
]);

/** A subscription, as far as it is used. Since API 2025-03-31 its period is its items'; before, its own. */
export const StripeSubscriptionAnswer = z.object({
  id,
  status: openEnum([
    'incomplete',
    'incomplete_expired',
    'trialing',
    'active',
    'past_due',
    'unpaid',
    'paused',
    'canceled',
  ]),
  livemode: z.boolean(),
  customer: Customer.nullish(),
  created: instant,
  /** What it is charged in, which its prices need not be told in. */
  currency: currency.nullish().catch(null),
  ...period,
  trial_start: instant.nullish(),
  trial_end: instant.nullish(),
  cancel_at_period_end: z.boolean().nullish(),
  cancel_at: instant.nullish(),
  canceled_at: instant.nullish(),
  ended_at: instant.nullish(),
  cancellation_details: z
    .object({ reason: openEnum(['cancellation_requested', 'payment_failed', 'payment_disputed']) })
    .nullish(),
  metadata: Metadata,
  discounts: hasDiscounts,
  pause_collection: z.object({ resumes_at: instant.nullish() }).nullish(),
  items: listOf(StripeItems),
  schedule: reference.nullish(),
});
/** With its schedule, which may be one that could not be read; `discounts` are those of the customer too. */
export type StripeSubscription = Omit<z.output<typeof StripeSubscriptionAnswer>, 'schedule' | 'customer'> & {
  readonly schedule: StripeSchedule | null;
  readonly customer: string | null;
};
export type StripeItem = StripeSubscription['items']['data'][number];

const InvoiceLine = z.object({
  /** What credit notes name it by. */
  id: id.nullish(),
  /** Before discounts. */
  amount: z.int(),
  discount_amounts: z
    .array(z.object({ amount: z.int() }))
    .nullish()
    .catch(null),
  period: z.object({ start: instant, end: instant }),
  pricing: z.object({ price_details: z.object({ price: reference, product: id }).nullish() }).nullish(),
  price: Price.nullish(),
  parent: z
    .object({
      type: z.string().nullish(),
      subscription_item_details: z.object({ proration: z.boolean().nullish() }).nullish(),
      invoice_item_details: z.object({ proration: z.boolean().nullish() }).nullish(),
    })
    .nullish(),
  proration: z.boolean().nullish(),
});
export type StripeInvoiceLine = z.output<typeof InvoiceLine>;
export const StripeInvoiceLines = z.array(InvoiceLine);

/** What paid an invoice, perhaps with others, and perhaps not that one alone. */
const InvoicePayment = z.object({
  id,
  invoice: reference,
  /** null until it arrived. */
  amount_paid: z.int().nullish(),
  status_transitions: z.object({ paid_at: instant.nullish() }).nullish(),
  payment: z.object({ payment_intent: reference.nullish(), charge: reference.nullish() }),
});
export type StripeInvoicePayment = z.output<typeof InvoicePayment>;
export const StripePayments = z.array(InvoicePayment);

/** The subscription that an invoice is of: under `parent`, or where older versions of the API had it. */
export const InvoiceParent = z.object({
  parent: z.object({ subscription_details: z.object({ subscription: reference.nullish() }).nullish() }).nullish(),
  subscription: reference.nullish(),
});

/** An invoice, as far as it is used. */
export const StripeInvoice = InvoiceParent.extend({
  id,
  status: openEnum(['draft', 'open', 'paid', 'uncollectible', 'void']),
  amount_paid: z.int(),
  /** With taxes, after discounts, and before the customer's balance and credit notes. */
  total: z.int().nullish(),
  /** What its credit notes took off before it was paid. */
  pre_payment_credit_notes_amount: z.int().nullish(),
  /** What its credit notes give back of what was paid: by refunds, by the customer's balance, or outside of Stripe. */
  post_payment_credit_notes_amount: z.int().nullish(),
  currency,
  created: instant,
  billing_reason: z.string().nullish(),
  attempted: z.boolean().nullish(),
  /** false: Stripe does nothing with it by itself, and asks nobody for the money. */
  auto_advance: z.boolean().nullish(),
  status_transitions: z.object({ paid_at: instant.nullish(), finalized_at: instant.nullish() }).nullish(),
  lines: listOf(StripeInvoiceLines),
  payments: listOf(StripePayments).nullish(),
});
export type StripeInvoice = z.output<typeof StripeInvoice>;

/** What Stripe took of a movement of money, in the currency it settles in; null too where only its id is given. */
const BalanceTransaction = z
  .union([id.transform(() => null), z.object({ amount: z.int(), fee: z.int(), currency })])
  .nullish();

/** A charge, as far as it is used. `amount_refunded` grows with every refund: the refunds themselves have the amounts. */
export const StripeCharge = z.object({
  id,
  payment_intent: reference.nullish(),
  status: openEnum(['succeeded', 'pending', 'failed']),
  /** What was authorized, and what of it was taken of the customer. */
  amount: z.int(),
  amount_captured: z.int(),
  currency,
  balance_transaction: BalanceTransaction,
  amount_refunded: z.int(),
  /** Whether all of it was. */
  refunded: z.boolean().nullish(),
  disputed: z.boolean().nullish(),
});
export type StripeCharge = z.output<typeof StripeCharge>;

/** A refund, as far as it is used. */
export const StripeRefund = z.object({
  id,
  amount: z.int(),
  currency,
  created: instant,
  status: openEnum(['pending', 'requires_action', 'succeeded', 'failed', 'canceled']),
  reason: z.string().max(255).nullish(),
  balance_transaction: BalanceTransaction,
});
export type StripeRefund = z.output<typeof StripeRefund>;

/** A dispute, as far as it is used. */
export const StripeDispute = z.object({
  id,
  amount: z.int(),
  /** What was taken of the account, less than 0, and given back to it. */
  balance_transactions: z
    .array(z.object({ amount: z.int(), reporting_category: z.string().nullish() }))
    .nullish()
    .catch(null),
  currency,
  created: instant,
  status: openEnum(['lost', 'won', 'needs_response', 'under_review', 'warning_closed', 'prevented']),
});
export type StripeDispute = z.output<typeof StripeDispute>;

/** What it credits of a line of its invoice, before taxes and discounts, as the line's own amount is. */
export const StripeCreditNoteLines = z.array(z.object({ invoice_line_item: id.nullish(), amount: z.int() }));

/** A credit note, as far as it is used: what it gives back outside of Stripe, and of what. */
export const StripeCreditNote = z.object({
  id,
  lines: listOf(StripeCreditNoteLines).catch({ data: [] }),
  /** Each of a charge, by its id, or of a payment that Stripe has but a record of. */
  refunds: z
    .array(z.object({ refund: reference.nullish(), amount_refunded: z.int().nullish(), type: z.string().nullish() }))
    .nullish()
    .catch(null),
  /** In older versions of the API. */
  refund: reference.nullish().catch(null),
  invoice: reference,
  status: openEnum(['issued', 'void']),
  out_of_band_amount: z.int().nullish(),
  currency,
  created: instant,
  reason: z.string().max(255).nullish(),
});
export type StripeCreditNote = z.output<typeof StripeCreditNote>;

export const StripeCheckoutLines = z.array(z.object({ price: Price.nullish() }));

/** A checkout session, as far as it is used. */
export const StripeCheckoutSession = z.object({
  id,
  metadata: Metadata,
  customer: reference.nullish(),
  line_items: listOf(StripeCheckoutLines).nullish(),
});
export type StripeCheckoutSession = z.output<typeof StripeCheckoutSession>;

/** One that is asked for by itself: it may have sold something for nothing, and no payment is made of it. */
export const StripeCheckoutOrder = StripeCheckoutSession.extend({
  payment_status: openEnum(['paid', 'unpaid', 'no_payment_required']),
  livemode: z.boolean(),
  created: instant,
  currency: currency.nullish(),
});
export type StripeCheckoutOrder = z.output<typeof StripeCheckoutOrder>;

/** A payment intent, as far as it is used. */
export const StripePaymentIntent = z.object({
  id,
  status: openEnum(['succeeded', 'processing', 'requires_capture', 'canceled', 'requires_payment_method']),
  amount_received: z.int(),
  currency,
  livemode: z.boolean(),
  created: instant,
  customer: reference.nullish(),
  metadata: Metadata,
  /** Null too where only its id is given. */
  latest_charge: z.union([id.transform(() => null), StripeCharge.extend({ created: instant })]).nullish(),
});
export type StripePaymentIntent = z.output<typeof StripePaymentIntent>;
