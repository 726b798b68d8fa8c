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
export const Money = z.object({
  amount: Decimal.describe('Exact amount, a decimal text'),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .describe('ISO 4217 code'),
});
export type Money = z.output<typeof Money>;

/** What a period of a subscription is to the customer. `prorated`: bridges a change of plan. */
export const Phase = z.enum(['trial', 'intro', 'regular', 'prorated']);
export type Phase = z.output<typeof Phase>;

export const offerTypes = ['free_trial', 'pay_as_you_go', 'pay_up_front'] as const;

/** The offer that a period was bought under: the store's introduction for new customers, or a promotion. */
export const Offer = z.object({
  kind: z.enum(['introductory', 'promotional']).describe("The store's introduction for new customers, or a promotion"),
  type: z.enum(offerTypes).nullable().describe('null: the store does not say'),
});
export type Offer = z.output<typeof Offer>;

const isInArrears = z
  .boolean()
  .optional()
  .describe('true: its period is over, as of what is metered at Stripe, and another one began when it was charged');

/** Not what a customer's balance paid. */
const isFree = z
  .boolean()
  .optional()
  .describe('true: its period cost nothing, and is no trial: by a coupon of 100 % or a plan that is free at Stripe');

const plan = text
  .nullable()
  .describe(
    'The base plan at Play, the price at Stripe, MONTHLY at the App Store for a year paid by the month; null: none',
  );

/** What a purchase paid for beside its product, as its own period of its own product. */
export const PaidAddOn = z.object({
  productId: text.describe('Product id in the store'),
  basePlanId: plan,
  offerId: text.nullable().describe('Offer in the store; null: none'),
  phase: Phase.describe('What the period is to the customer; prorated: it bridges a change of plan'),
  startsAt: time.describe('Begin of the period, in milliseconds since the epoch'),
  expiresAt: time.nullable().describe('End of the period, in milliseconds since the epoch; null: it has none'),
  isOneTime: z
    .boolean()
    .optional()
    .describe('true: it has no period, but was bought once, beside a subscription, at Stripe'),
  isInArrears,
  isFree,
});
export type PaidAddOn = z.output<typeof PaidAddOn>;

/** One payment of a purchase that is paid bit by bit. */
export const PartPayment = z.object({
  paymentId: text.describe('The payment, by its id in the store'),
  paidAt: time.describe('When it was paid, in milliseconds since the epoch'),
  amount: Decimal.describe('Exact amount, a decimal text'),
});
export type PartPayment = z.output<typeof PartPayment>;

/** A purchase that the store tells of: an App Store transaction, a Play order, a Stripe invoice. */
export const TransactionFact = z.object({
  transactionId: text.describe('The transaction, by its id in the store'),
  purchaseId: text
    .optional()
    .describe(
      'Names the purchase, where the store may give it several transaction ids; absent: its transaction id does',
    ),
  kind: z.enum(['subscription', 'one_time']).describe('What was bought'),
  productId: text.describe('Product id in the store'),
  basePlanId: plan,
  offerId: text.nullable().describe('Offer in the store; null: none'),
  phase: Phase.describe('What the period is to the customer; prorated: it bridges a change of plan'),
  purchasedAt: time.describe('When it was bought, in milliseconds since the epoch'),
  originallyPurchasedAt: time
    .optional()
    .describe(
      'When the purchase was made that it renews, or whose plan it changes, in milliseconds since the epoch; absent: none, or not told',
    ),
  startsAt: time.describe('Begin of its period, in milliseconds since the epoch'),
  expiresAt: time.nullable().describe('End of its period, in milliseconds since the epoch; null: it has none'),
  price: Money.nullable().describe('What was paid; null: the store does not say'),
  isEstimate: z.boolean().describe('Whether price is a list price, in place of what was paid'),
  isFamilyShared: z
    .boolean()
    .describe('Whether somebody else paid for it: shared by a family, or assigned by a group or organization'),
  isUpgraded: z.boolean().describe('Whether another plan took its place'),
  isPlanChange: z
    .boolean()
    .optional()
    .describe('true: it took the place of another plan that ran, and the store says so of it, at Play'),
  offer: Offer.nullable()
    .optional()
    .describe(
      'The offer that it was bought under; absent or null: none, or not told; a trial or introductory phase then counts as introductory',
    ),
  storeShare: Money.optional().describe(
    'What the store keeps of price: not negative, in the currency that it settles in; absent: not told',
  ),
  addOns: z
    .array(PaidAddOn)
    .optional()
    .describe('What it paid for beside its product, at Play and Stripe; absent: nothing'),
  payments: z
    .array(PartPayment)
    .optional()
    .describe(
      'What makes up price, by time, in its currency, each with its row in the ledger, at Stripe; absent: one payment',
    ),
  buysPeriod: z
    .boolean()
    .optional()
    .describe(
      "Whether it bought the period that it names; false: it is money alone, a Stripe invoice that is not paid in full, or of nothing but what is sold beside the subscription's items; absent: it did",
    ),
  isInArrears,
  isFree,
});
export type TransactionFact = z.output<typeof TransactionFact>;

/** Money given back for a transaction. */
export const RefundFact = z.object({
  refundId: text.describe('The refund, by its id in the store'),
  transactionId: text.describe('The transaction that it is of'),
  refundedAt: time.describe('When it was given back, in milliseconds since the epoch'),
  amount: Money.nullable().describe('Positive; null: all of the transaction that is not yet given back'),
  reason: text.nullable().describe("The store's word; null: none"),
  isCumulative: z
    .boolean()
    .optional()
    .describe('true: the amount holds all that was given back so far, as a share of an App Store transaction does'),
  isOfItem: z
    .boolean()
    .optional()
    .describe('true: it is of single items or seats of an App Store transaction, which stands in spite of it'),
  products: z
    .array(text)
    .optional()
    .describe(
      'Of what the transaction sold once beside others, the products that went back whole, as the lines of a Stripe credit note say; absent: none',
    ),
  storeShare: Money.optional().describe(
    'What the store takes for the refund; negative: what it gives back of its share; absent: not told',
  ),
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
  status: SubscriptionStatus.describe(
    "How it stands in the store's words, put alike for all stores; revoked: taken back",
  ),
  productId: text.describe('Product id in the store'),
  basePlanId: plan,
  offerId: text.nullable().describe('Offer in the store; null: none'),
  transactionId: text
    .nullable()
    .describe('The transaction of the current period; null: before the first, or the app forgoes the payment of it'),
  startsAt: time.describe('Begin of the current period, in milliseconds since the epoch'),
  expiresAt: time.nullable().describe('End of the current period, in milliseconds since the epoch; null: it has none'),
  graceExpiresAt: time.nullable().describe('End of its grace period, in milliseconds since the epoch; null: none'),
  isOpenEnded: z
    .boolean()
    .describe(
      'Whether access does not end by its date alone: past due at Stripe, it lasts until the store says unpaid',
    ),
  willRenew: z.boolean().describe('Whether it is to renew'),
  renewsAs: text.nullable().describe('The product of the next period; null: the same'),
  renewalPrice: Money.optional().describe(
    'What the next period costs, as the store says; absent: it does not renew, or not told',
  ),
  /**
   * The App Store says so once, in a notification: there the latest time that was told stands, until the store says again
   * that it renews.
   */
  unsubscribedAt: time
    .nullable()
    .describe('When renewal was switched off, in milliseconds since the epoch; null: it was not, or not told'),
  billingIssueAt: time
    .nullable()
    .describe('Since when its payment fails, in milliseconds since the epoch; null: it does not'),
  cancellationReason: CancellationReason.nullable().describe('Why it ended, or will; null: it does not, or not told'),
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
  paywallId: z.int().nullable().describe('The paywall, by its integer; null: not told'),
  placementId: text.nullable().describe('The placement; null: not told'),
  isExperiment: z.boolean().nullable().describe('Whether the paywall was of an experiment; null: not told'),
  aiPricingModelId: z.int().nullable().describe('The model, by its integer; null: none, or not told'),
  abTestId: z.int().nullable().describe('The A/B test; null: none, or not told'),
});
export type Attribution = z.output<typeof Attribution>;
