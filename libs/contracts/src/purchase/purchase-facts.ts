import { z } from 'zod';

export const purchaseStores = ['app_store', 'play_store', 'stripe'] as const;
export const Store = z.enum(purchaseStores);
export type Store = z.output<typeof Store>;

/** Where the store says that a purchase was made. What is not production earns nothing. */
export const PurchaseEnvironment = z.enum(['production', 'sandbox']);
export type PurchaseEnvironment = z.output<typeof PurchaseEnvironment>;

const text = z.string().max(255);
/** Milliseconds since the epoch. */
const time = z.int();

/** An exact decimal amount, as text: `-?digits[.digits]`, without an exponent. */
export const Decimal = z.string().regex(/^-?\d{1,18}(\.\d{1,12})?$/);

/** An exact amount of a currency (ISO 4217, upper case). */
export const Money = z.object({ amount: Decimal, currency: z.string().regex(/^[A-Z]{3}$/) });
export type Money = z.output<typeof Money>;

/** What a period of a subscription is to the customer. `prorated`: bridges a change of plan. */
export const Phase = z.enum(['trial', 'intro', 'regular', 'prorated']);
export type Phase = z.output<typeof Phase>;

export const offerTypes = ['free_trial', 'pay_as_you_go', 'pay_up_front'] as const;

/** The offer that a period was bought under: the store's introduction for new customers, or a promotion. */
export const Offer = z.object({
  kind: z.enum(['introductory', 'promotional']),
  type: z.enum(offerTypes).nullable(),
});
export type Offer = z.output<typeof Offer>;

/** true: its period is over, as of what is metered at Stripe, and another one began when it was charged. */
const isInArrears = z.boolean().optional();

/**
 * true: its period cost nothing, and the store does not call it a trial: by a coupon of 100 % or a plan that is free at Stripe.
 * Not what a customer's balance paid.
 */
const isFree = z.boolean().optional();

/** What a purchase paid for beside its product, as its own period of its own product. */
export const PaidAddOn = z.object({
  productId: text,
  basePlanId: text.nullable(),
  offerId: text.nullable(),
  phase: Phase,
  startsAt: time,
  expiresAt: time.nullable(),
  /** true: it has no period, but was bought once, beside a subscription. At Stripe. */
  isOneTime: z.boolean().optional(),
  isInArrears,
  isFree,
});
export type PaidAddOn = z.output<typeof PaidAddOn>;

/** One payment of a purchase that is paid bit by bit. */
export const PartPayment = z.object({ paymentId: text, paidAt: time, amount: Decimal });
export type PartPayment = z.output<typeof PartPayment>;

/**
 * A purchase that the store tells of: an App Store transaction, a Play order, a Stripe invoice.
 * `price` is null where the store does not say what was paid; `isEstimate` marks a list price in place of it.
 */
export const TransactionFact = z.object({
  transactionId: text,
  /** Names the purchase, where the store may give it several transaction ids. Absent: its transaction id does. */
  purchaseId: text.optional(),
  kind: z.enum(['subscription', 'one_time']),
  productId: text,
  basePlanId: text.nullable(),
  offerId: text.nullable(),
  phase: Phase,
  purchasedAt: time,
  /** When the purchase was made that it renews, or whose plan it changes. Absent: none, or the store does not say. */
  originallyPurchasedAt: time.optional(),
  startsAt: time,
  expiresAt: time.nullable(),
  price: Money.nullable(),
  isEstimate: z.boolean(),
  /** Access that somebody else paid for: shared by a family, or assigned by a group or organization. */
  isFamilyShared: z.boolean(),
  isUpgraded: z.boolean(),
  /** true: it took the place of another plan that ran, and the store says so of it. At Play. */
  isPlanChange: z.boolean().optional(),
  /** Absent or null: none, or the store does not say; a trial or introductory phase then counts as introductory. */
  offer: Offer.nullable().optional(),
  /** What the store keeps of `price`: not negative, in the currency it settles in. Absent: it does not say. */
  storeShare: Money.optional(),
  /** By product, at Play and Stripe. Absent: it paid for one product. */
  addOns: z.array(PaidAddOn).optional(),
  /** What makes up `price`, by time, in its currency; each has its row in the ledger. At Stripe. Absent: one payment. */
  payments: z.array(PartPayment).optional(),
  /**
   * Whether it bought the period that it names. false: it is money alone, a Stripe invoice as long as it is not paid in
   * full, or of nothing but what is sold beside the subscription's items. Absent: it did.
   */
  buysPeriod: z.boolean().optional(),
  isInArrears,
  isFree,
});
export type TransactionFact = z.output<typeof TransactionFact>;

/**
 * Money given back for a transaction. `amount` is positive; null: all of it that is not yet given back.
 * `isCumulative` marks an amount that holds all that was given back so far, as a share of an App Store transaction
 * does.
 */
export const RefundFact = z.object({
  refundId: text,
  transactionId: text,
  refundedAt: time,
  amount: Money.nullable(),
  reason: text.nullable(),
  isCumulative: z.boolean().optional(),
  /** Whether it is of single items or seats of an App Store transaction, which stands in spite of it. Absent: of the transaction. */
  isOfItem: z.boolean().optional(),
  /**
   * Of what the transaction sold once beside others, the products of which all went back with it, where the store says so: at
   * Stripe by the lines of a credit note. Absent: none.
   */
  products: z.array(text).optional(),
  /** What the store takes for the refund; negative: what it gives back of its share. Absent: it does not say. */
  storeShare: Money.optional(),
});
export type RefundFact = z.output<typeof RefundFact>;

export const SubscriptionStatus = z.enum([
  'pending',
  'trial',
  'intro',
  'active',
  'grace',
  'billing_retry',
  'paused',
  'expired',
  'revoked',
  'unknown',
]);
export type SubscriptionStatus = z.output<typeof SubscriptionStatus>;

export const cancellationReasons = [
  'voluntarily_cancelled',
  'billing_error',
  'price_increase',
  'product_was_not_available',
  'refund',
  'upgraded',
  'unknown',
] as const;
export const CancellationReason = z.enum(cancellationReasons);
export type CancellationReason = z.output<typeof CancellationReason>;

/** How a subscription stands, as the store said at the observation's time. */
export const SubscriptionFact = z.object({
  status: SubscriptionStatus,
  productId: text,
  basePlanId: text.nullable(),
  offerId: text.nullable(),
  /** The transaction of the current period; null before the first, and where the app forgoes the payment of it. */
  transactionId: text.nullable(),
  startsAt: time,
  expiresAt: time.nullable(),
  graceExpiresAt: time.nullable(),
  /** Whether access does not end by its date alone: past due at Stripe, it lasts until the store says unpaid. */
  isOpenEnded: z.boolean(),
  willRenew: z.boolean(),
  /** The product of the next period, where it is another one. */
  renewsAs: text.nullable(),
  /** What the store says that the next period costs, where it renews. Absent: it does not, or the store does not say. */
  renewalPrice: Money.optional(),
  /**
   * When renewal was switched off. null: the store did not say. The App Store says so once, in a notification: there the
   * latest time that was told stands, until the store says again that it renews.
   */
  unsubscribedAt: time.nullable(),
  billingIssueAt: time.nullable(),
  cancellationReason: CancellationReason.nullable(),
});
export type SubscriptionFact = z.output<typeof SubscriptionFact>;

/**
 * What a store said of one chain of purchases at one moment: verified, or fetched from the store itself.
 * `observedAt` orders observations: App Store's signed date, else the start of the fetch.
 */
export const Observation = z.object({
  store: Store,
  environment: PurchaseEnvironment,
  /** Names the chain within its store: original transaction id, first purchase token of the links, subscription id. */
  originalId: text.max(4096),
  observedAt: time,
  /** Ids of chains that this one replaces: their access ends. */
  replaces: z.array(z.string().max(4096)),
  /** What the app told the store of the buyer: perhaps one of our profile ids. */
  account: text.nullable(),
  subscription: SubscriptionFact.nullable(),
  /** What goes on beside `subscription`, each with dates, renewal and access of its own, by product. Absent: nothing. */
  addOns: z.array(SubscriptionFact).optional(),
  transactions: z.array(TransactionFact),
  refunds: z.array(RefundFact),
  /** Refunds of these transactions that the store took back. */
  reversedRefunds: z.array(text),
  /** Ids of refunds that came to nothing, whether or not they were told of before. Absent: none is known. */
  failedRefunds: z.array(text).optional(),
  /** One-time purchases, family access, assigned seats or subscriptions that were taken back without money. */
  revokedTransactions: z.array(text),
});
export type Observation = z.output<typeof Observation>;

/** What the client says a purchase came of: kept as received. */
export const Attribution = z.object({
  paywallId: z.int().nullable(),
  placementId: text.nullable(),
  isExperiment: z.boolean().nullable(),
  aiPricingModelId: z.int().nullable(),
  abTestId: z.int().nullable(),
});
export type Attribution = z.output<typeof Attribution>;
