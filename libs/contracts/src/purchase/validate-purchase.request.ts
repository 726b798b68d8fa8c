import { z } from 'zod';
import { defineCommand, type CommandOf } from '../message.ts';
import { ObservePurchase } from './observe-purchase.command.ts';
import { Attribution, PurchaseEnvironment } from './purchase-facts.ts';
import { ClientReport, PurchaseSource } from './purchase-fields.ts';

const text = z.string().max(255);

/** What an app says of a purchase in the App Store. `environment` is asked first; the signed answer decides. */
const AppStoreTransactionClaim = z.object({
  store: z.literal('app_store'),
  transactionId: text,
  originalTransactionId: text,
  productId: text,
  environment: PurchaseEnvironment.nullable(),
  /** What the client takes it for: only how the store is asked depends on it. */
  isSubscription: z.boolean().nullish(),
});

/** What an app says of a purchase on Play. `sealedToken` is its purchase token, as Sealing writes it. */
const PlayPurchaseClaim = z.object({
  store: z.literal('play_store'),
  sealedToken: z.string(),
  productId: text,
  /** null: the client does not say, and both kinds are asked for. */
  kind: z.enum(['subscription', 'one_time']).nullable(),
});

/**
 * Asks a store about a purchase that a client reports. What it says becomes an ObservePurchase of the same command id,
 * whose reply this command's sender gets; a store's no and its silence are replied at once. Kafka key: the id that
 * `chainIdOf` gives the original transaction, or the token itself.
 */
export const ValidatePurchase = defineCommand(
  'ValidatePurchase',
  1,
  z.object({
    purchase: z.discriminatedUnion('store', [AppStoreTransactionClaim, PlayPurchaseClaim]),
    profileId: z.uuid(),
    source: PurchaseSource.nullable(),
    /** null if the client sent none of its fields. */
    attribution: Attribution.nullable(),
    clientReported: ClientReport.nullable(),
  }),
  ObservePurchase.reply,
);
export type ValidatePurchase = CommandOf<typeof ValidatePurchase>;
