import type { Observation } from '@paywright/contracts';
import type { Clock } from '@paywright/platform';
import type { CredentialsCheck } from '../app-store/check-credentials.ts';
import type { PlayApi, PlayApiOptions } from './play-api.ts';
import type { PlayServiceAccount } from './play-credentials.ts';

export type PlayPurchaseKind = 'subscription' | 'one_time';

export interface PlayStoreOptions extends PlayApiOptions {
  /** The service's clock: it stamps what is observed. */
  readonly clock: Clock;
  /** Pauses before an unknown token is asked for again: fresh ones can be unknown for a moment. */
  readonly retryDelaysMs?: readonly number[];
}

/** What a client says that it bought. The store decides of which kind it is; `kind` says what to ask for first. */
export interface PlayClaim {
  readonly purchaseToken: string;
  readonly productId: string;
  readonly kind: PlayPurchaseKind | null;
}

/** A purchase as it stands. */
export interface PlayObservation {
  readonly observation: Observation;
  /** Orders that Google did not show, or not yet: what was paid by them, or went back of it, is not known. */
  readonly unreadOrders: readonly string[];
}

/** A purchase that Google has. */
export interface FoundPlayPurchase extends PlayObservation {
  /** Paid, and not acknowledged yet: see `acknowledge`. */
  readonly awaitsAcknowledgement: boolean;
  /** Google keeps it no longer: of it is told what an order gave back, and of which environment it was is not known. */
  readonly isForgotten: boolean;
}

/** A purchase to look up, as a notification names it, or as it is kept: its kind is the store's word. */
export interface PlayLookUp {
  readonly purchaseToken: string;
  readonly kind: PlayPurchaseKind | null;
  readonly orderId?: string | null;
  /** Google said that it gave that order's money back: an order that does not show it yet is unread. */
  readonly isVoided?: boolean | undefined;
  /** Since when Google has said that all of the order is void, where that is to count although Google does not show it. */
  readonly voidedSince?: number | undefined;
  /** Google showed the order before: `voidedSince` counts only if the account may not see it any more. */
  readonly wasShown?: boolean | undefined;
  /** It was bought once, and told of before: where Google does not know the token any more, it has forgotten it. */
  readonly mayBeForgotten?: boolean | undefined;
}

/** Google Play for one app. Throws `StoreFault` alone, and 'unavailable' as soon as the signal aborts. */
export interface PlayStore extends Pick<PlayApi, 'acknowledge' | 'voidedPurchases'> {
  /**
   * The purchase that a client claims, bound to its product.
   * @throws StoreFault not-found (also: forgotten since it expired), product-mismatch, pending, revoked, unavailable
   */
  validate(claim: PlayClaim, signal: AbortSignal): Promise<FoundPlayPurchase>;
  /**
   * A purchase as it stands; a plan that was given up while it waited is answered by the one that it was to replace.
   * Of one that Google keeps no longer, as it expired more than 60 days ago or was bought again, it is told what the order gave
   * back that is asked for, or that this one is not shown.
   * @returns null if nothing is told of it any more
   * @throws StoreFault not-found, unavailable
   */
  observe(lookUp: PlayLookUp, signal: AbortSignal): Promise<FoundPlayPurchase | null>;
  /** Whether Google takes the service account, and in one sentence what is wrong. Never throws. */
  checkCredentials(signal: AbortSignal): Promise<CredentialsCheck>;
}

/**
 * Google Play for one app. Keep it while the credentials stay: it holds the access token. Google's libraries, which
 * take 30 MB, are loaded with the first call.
 */
export function playStore(account: PlayServiceAccount, packageName: string, options: PlayStoreOptions): PlayStore {
  let opened: Promise<PlayStore> | undefined;
  const open = () =>
    (opened ??= import('./open-play-store.ts').then((library) => library.openPlayStore(account, packageName, options)));
  return {
    validate: async (...call) => (await open()).validate(...call),
    observe: async (...call) => (await open()).observe(...call),
    acknowledge: async (...call) => (await open()).acknowledge(...call),
    voidedPurchases: async (...call) => (await open()).voidedPurchases(...call),
    checkCredentials: async (...call) => (await open()).checkCredentials(...call),
  };
}
