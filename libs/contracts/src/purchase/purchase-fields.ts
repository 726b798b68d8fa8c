import { z } from 'zod';
import { Attribution, Decimal, PurchaseEnvironment, Store } from './purchase-facts.ts';

const text = z.string().max(255);

/**
 * What every event of purchases carries. `chainId` is the stream and Kafka key: a UUID derived of app, store and
 * the chain's first id, because that id can be a bearer secret. `profileId` is the chain's owner after the event,
 * null as long as nobody claimed it.
 */
export const chainFields = {
  appId: z.int(),
  chainId: z.uuid(),
  profileId: z.uuid().nullable(),
  store: Store,
} as const;

/** The same of what a store's observation led to. */
export const observedFields = { ...chainFields, environment: PurchaseEnvironment } as const;

export const PurchaseSource = z.enum(['restore', 'purchasing', 'observing']);
export type PurchaseSource = z.output<typeof PurchaseSource>;

/**
 * What a purchase came of: the attribution exactly as the client sent it, and the decision and the impression that
 * it belongs to, where they are known.
 */
export const PurchaseOrigin = Attribution.extend({
  decisionId: z.uuid().nullable(),
  impressionId: z.uuid().nullable(),
});
export type PurchaseOrigin = z.output<typeof PurchaseOrigin>;

/** What the client says of price and trial. Kept for the record, never counted. */
export const ClientReport = z.object({
  price: Decimal.nullable(),
  currency: text.nullable(),
  /** Whether a pricing phase costs nothing; null where the client sent no phases. */
  hasTrialPhase: z.boolean().nullable(),
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
  notificationId: text,
  notificationType: text,
  subtype: text.nullable(),
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

export const Labels = z.array(text);
