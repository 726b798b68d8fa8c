import type {
  CatalogDocument,
  CatalogIds,
  CustomAttribute,
  movementTypes,
  PaywallServed,
  PersonalFields,
  ProfileFields,
  PurchaseEnvironment,
  Store,
} from '@paywright/contracts';

/** All times are milliseconds since the epoch. */

/** A profile without what tells the person. A field that was never set, or cleared, is absent. */
export interface ImpersonalProfileRow {
  readonly profileId: string;
  readonly appId: number;
  /** The version of the profile's stream that the row shows. */
  readonly version: number;
  readonly fields: Partial<ProfileFields>;
  /** In order of creation. */
  readonly custom: readonly CustomAttribute[];
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A profile with its personal fields, which may be ahead or behind of its version. */
export interface ProfileRow extends ImpersonalProfileRow {
  readonly personal: Partial<PersonalFields>;
}

/** An event of a service about a profile; each event of a client's batch is one. `data` is its body. */
export interface TimelineEntry {
  readonly id: string;
  readonly type: string;
  readonly time: number;
  readonly service: string;
  readonly data: unknown;
}

/** A decision as it was recorded. `superseded`: the client was answered by another one. */
export interface DecisionRow {
  readonly time: number;
  readonly decision: PaywallServed['body'];
  readonly superseded: boolean;
}

/** A catalog of an app in its history: revisions are 1, 2, 3 … */
export interface RevisionRow {
  readonly revision: number;
  readonly time: number;
  readonly actor: string;
}

export interface RevisionDocument extends RevisionRow {
  readonly document: CatalogDocument;
  readonly ids: CatalogIds;
}

/** Who changed what; `action` is the event's type. A catalog is named by its revision, a key by id and prefix. */
export interface AuditRow {
  readonly id: string;
  readonly time: number;
  readonly actor: string;
  readonly action: string;
  readonly appId: number;
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * A movement of money of a payer; `id` is the store's own, unique in its chain. `amount`, `usd` and `rate` are decimal
 * texts without zeros behind; the latter two are null until a rate is known. `refundOf` names a transaction.
 */
export interface LedgerRow {
  readonly id: string;
  readonly time: number;
  readonly type: (typeof movementTypes)[number];
  readonly store: Store;
  readonly environment: PurchaseEnvironment;
  readonly transactionId: string;
  readonly originalTransactionId: string | null;
  readonly productId: string;
  readonly amount: string;
  readonly currency: string;
  readonly usd: string | null;
  readonly rate: string | null;
  readonly refundOf: string | null;
  readonly paywallId: number | null;
  readonly placementId: string | null;
  readonly decisionId: string | null;
}

/** What a decision led to, in production: chains that began with it, and what they earned, as a decimal text in USD. */
export interface DecisionYield {
  readonly conversions: number;
  readonly revenueUsd: string;
}
