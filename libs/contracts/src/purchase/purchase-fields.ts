import { z } from 'zod';
import { appId } from '../event-fields.ts';
import { Attribution, Decimal, PurchaseEnvironment, Store } from './purchase-facts.ts';

const text = z.string().max(255);

/** What every event of purchases carries. A chain's first id can be a bearer secret, so another one is derived of it. */
export const chainFields = {
  appId,
  chainId: z.uuid().describe('The chain: a UUID that is derived of app, store and its first id there'),
  profileId: z.uuid().nullable().describe("The chain's owner after the event; null: nobody claimed it"),
  store: Store.describe('The store'),
} as const;

/** The same of what a store's observation led to. */
export const observedFields = {
  ...chainFields,
  environment: PurchaseEnvironment.describe('Where the purchase was made, as the store says; sandbox earns nothing'),
} as const;

export const observedAt = z.int().describe('When the store said so, in milliseconds since the epoch');

export const PurchaseSource = z.enum(['restore', 'purchasing', 'observing']);
export type PurchaseSource = z.output<typeof PurchaseSource>;

/**
 * What a purchase came of: the attribution exactly as the client sent it, and the decision and the impression that
 * it belongs to, where they are known.
 */
export const PurchaseOrigin = Attribution.extend({
  decisionId: z.uuid().nullable().describe('The decision that it belongs to; null: not known'),
  impressionId: z.uuid().nullable().describe('The impression that it belongs to, by its event id; null: not known'),
});
export type PurchaseOrigin = z.output<typeof PurchaseOrigin>;

/** What the client says of price and trial. Kept for the record, never counted. */
export const ClientReport = z.object({
  price: Decimal.nullable().describe('A decimal text; null: not told'),
  currency: text.nullable().describe('As the client wrote it; null: not told'),
  hasTrialPhase: z.boolean().nullable().describe('Whether a pricing phase costs nothing; null: no phases were told'),
});
export type ClientReport = z.output<typeof ClientReport>;

/** What one unit of the currency was worth in USD on a UTC day (`YYYY-MM-DD`), to 12 decimals. */
export const ExchangeRate = z.object({
  day: z.string().regex(/^\d{4}-\d\d-\d\d$/),
  currency: z.string().regex(/^[A-Z]{3}$/),
  usdPerUnit: Decimal,
});
export type ExchangeRate = z.output<typeof ExchangeRate>;

/** How a store names its notification. Names that are new to us are kept as they came. */
export const StoreNotification = z.object({
  notificationId: text.describe('The notification, by its id in the store'),
  notificationType: text.describe("The store's name of its kind"),
  subtype: text.nullable().describe("The store's name of its subkind; null: none"),
});
export type StoreNotification = z.output<typeof StoreNotification>;

/**
 * What a change means in the words of the trade, for people and reports: no state hangs on a label. More may come,
 * so a reader must expect names that are not in this list.
 */
export const purchaseLabels = [
  'trial_started',
  'subscription_started',
  'trial_converted',
  'subscription_renewed',
  'non_subscription_purchase',
  'trial_renewal_cancelled',
  'subscription_renewal_cancelled',
  'trial_renewal_reactivated',
  'subscription_renewal_reactivated',
  'billing_issue_detected',
  'entered_grace_period',
  'access_ended',
  'subscription_recovered',
  'subscription_paused',
  'subscription_resumed',
  'subscription_extended',
  'product_changed',
  'trial_expired',
  'subscription_expired',
  'revoked',
] as const;
export type PurchaseLabel = (typeof purchaseLabels)[number];

export const Labels = z
  .array(text)
  .describe('What it means in the words of the trade, such as trial_started; more names may come');
