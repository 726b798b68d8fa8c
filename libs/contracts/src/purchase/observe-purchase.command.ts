import { z } from 'zod';
import { defineCommand, type CommandOf } from '../message.ts';
import { Observation } from './purchase-facts.ts';
import { ClientReport, ExchangeRate, PurchaseOrigin, PurchaseSource, StoreNotification } from './purchase-fields.ts';

/** An observation without what must not be written down: the chain's own id and the buyer's account may be secrets. */
export const ObservedPurchase = Observation.omit({ originalId: true, replaces: true, account: true });
export type ObservedPurchase = z.output<typeof ObservedPurchase>;

/** A client's wish that the purchase be its profile's. */
export const PurchaseClaim = z.object({
  profileId: z.uuid(),
  /** The transaction that the client names; at Play the one that paid for the subscription that it names, else null. */
  transactionId: z.string().max(255).nullable(),
  source: PurchaseSource.nullable(),
  /** The app's setting for a purchase that is another profile's. */
  restorePolicy: z.enum(['transfer', 'keep']),
  origin: PurchaseOrigin.nullable(),
  clientReported: ClientReport.nullable(),
  /**
   * When the profile was created, in milliseconds: behind an erasure, when its person came back. Null where it is not
   * shown; absent in commands of earlier releases.
   */
  profileCreatedAt: z.int().nullable().optional(),
});
export type PurchaseClaim = z.output<typeof PurchaseClaim>;

/**
 * Takes in what a store said of a chain, asked for by a client (`claim`), told by the store (`notification`), or
 * looked up on our own. Kafka key: chain id.
 */
export const ObservePurchase = defineCommand(
  'ObservePurchase',
  1,
  z.object({
    observation: ObservedPurchase,
    /** What people know the chain by; null where its own id is a purchase token. */
    originalTransactionId: z.string().max(255).nullable(),
    /** The existing profile of this app that the buyer's account at the store names; null for any other account. */
    accountProfileId: z.uuid().nullable(),
    /** What that profile's purchase came of, where the store's data says so; absent in commands of earlier releases. */
    accountOrigin: PurchaseOrigin.nullable().optional(),
    /** Asked for by a purchase token that a newer one has replaced: then it moves neither state nor owner. */
    isReplaced: z.boolean(),
    claim: PurchaseClaim.nullable(),
    notification: StoreNotification.nullable(),
    /**
     * Of the transactions' currencies on the days of purchase, and of the renewal price's on the day that the period
     * began, as far as known; none is needed for USD.
     */
    rates: z.array(ExchangeRate),
  }),
  z.object({
    /** The stream that the observation went to, which a claim by a later Play token does not know. */
    chainId: z.uuid(),
    profileId: z.uuid().nullable(),
  }),
);
export type ObservePurchase = CommandOf<typeof ObservePurchase>;
