import { setTimeout as sleep } from 'node:timers/promises';
import type { Observation } from '@paywright/contracts';
import type { Clock } from '@paywright/platform';
import { StoreFault } from '../store-fault.ts';
import type { CredentialsCheck } from '../app-store/check-credentials.ts';
import { checkPlayCredentials } from './check-play-credentials.ts';
import { observePlayProduct, observePlaySubscription, type PlayView } from './observe-play-purchase.ts';
import type { PlayProduct, PlaySubscription } from './play-answers.ts';
import { playApi, type PlayApi, type PlayApiOptions } from './play-api.ts';
import type { PlayServiceAccount } from './play-credentials.ts';

export type PlayPurchaseKind = 'subscription' | 'one_time';

export interface PlayStoreOptions extends PlayApiOptions {
  /** The service's clock: it stamps what is observed. */
  readonly clock: Clock;
  /** Pauses before an unknown token is asked for again: fresh ones can be unknown for a moment. */
  readonly retryDelaysMs?: readonly number[];
}

/** What a client says that it bought. The store decides of which kind it is, where the client does not say. */
export interface PlayClaim {
  readonly purchaseToken: string;
  readonly productId: string;
  readonly kind: PlayPurchaseKind | null;
}

/** A purchase to look up, as a notification names it, or as it is kept. */
export interface PlayLookUp {
  readonly purchaseToken: string;
  readonly kind: PlayPurchaseKind | null;
  readonly orderId?: string | null;
}

/** Google Play for one app. Throws `StoreFault` alone, and 'unavailable' as soon as the signal aborts. */
export interface PlayStore extends Pick<PlayApi, 'acknowledge' | 'voidedPurchases'> {
  /**
   * The purchase that a client claims, bound to its product.
   * @throws StoreFault not-found (also: forgotten since it expired), product-mismatch, pending, revoked, unavailable
   */
  validate(claim: PlayClaim, signal: AbortSignal): Promise<Observation>;
  /**
   * A purchase as it stands; a plan that was given up while it waited is answered by the one that it was to replace.
   * @returns null if Google keeps it no longer: it expired more than 60 days ago
   * @throws StoreFault not-found, unavailable
   */
  observe(lookUp: PlayLookUp, signal: AbortSignal): Promise<Observation | null>;
  /** Whether Google takes the service account, and in one sentence what is wrong. Never throws. */
  checkCredentials(signal: AbortSignal): Promise<CredentialsCheck>;
}

type Found = { kind: 'subscription'; subscription: PlaySubscription } | { kind: 'one_time'; product: PlayProduct };

const unknownPurchase = 'Google Play does not know this purchase.';

/** Google Play for one app. Keep it while the credentials stay: it holds the access token. */
export function playStore(account: PlayServiceAccount, packageName: string, options: PlayStoreOptions): PlayStore {
  const api = playApi(account, packageName, options);
  const { clock, retryDelaysMs = [200, 600] } = options;

  async function lookUp(kind: PlayPurchaseKind, token: string, signal: AbortSignal): Promise<Found | 'gone' | null> {
    const answer = await (kind === 'subscription' ? api.subscription(token, signal) : api.product(token, signal));
    if (answer === 'not-found') return null;
    if (answer === 'gone') return 'gone';
    return 'productLineItem' in answer
      ? { kind: 'one_time', product: answer }
      : { kind: 'subscription', subscription: answer };
  }

  async function find({ purchaseToken, kind }: PlayLookUp, signal: AbortSignal): Promise<Found | 'gone'> {
    const kinds = kind ? [kind] : (['subscription', 'one_time'] as const);
    for (const delayMs of [0, ...retryDelaysMs]) {
      if (delayMs > 0) await pause(delayMs, signal);
      for (const each of kinds) {
        const found = await lookUp(each, purchaseToken, signal);
        if (found) return found;
      }
    }
    throw new StoreFault('not-found', unknownPurchase);
  }

  const observeFound = (found: Found, view: PlayView, signal: AbortSignal): Promise<Observation> =>
    found.kind === 'subscription'
      ? observePlaySubscription(api, found.subscription, view, signal)
      : observePlayProduct(api, found.product, view, signal);

  return {
    acknowledge: (...purchase) => api.acknowledge(...purchase),
    voidedPurchases: (since, signal) => api.voidedPurchases(since, signal),
    checkCredentials: (signal) => checkPlayCredentials(api, signal),

    async validate({ purchaseToken, productId, kind }, signal) {
      const observedAt = clock.now();
      const found = await find({ purchaseToken, kind }, signal);
      if (found === 'gone') throw new StoreFault('not-found', unknownPurchase);
      refuseUnbought(found, productId);
      return observeFound(found, { token: purchaseToken, observedAt, productId }, signal);
    },

    async observe(wanted, signal) {
      const observedAt = clock.now();
      const found = await find(wanted, signal);
      if (found === 'gone') return null;
      const token = givenUpFor(found);
      const inForce = token ? await lookUp('subscription', token, signal) : null;
      return inForce && inForce !== 'gone' && token
        ? observeFound(inForce, { token, observedAt }, signal)
        : observeFound(found, { token: wanted.purchaseToken, observedAt, orderId: wanted.orderId }, signal);
    },
  };
}

/** The token that a plan was to replace, if it was given up before it was paid. */
const givenUpFor = (found: Found): string | null =>
  found.kind === 'subscription' &&
  found.subscription.subscriptionState === 'SUBSCRIPTION_STATE_PENDING_PURCHASE_CANCELED'
    ? (found.subscription.linkedPurchaseToken ?? null)
    : null;

function refuseUnbought(found: Found, productId: string): void {
  const lines = found.kind === 'subscription' ? found.subscription.lineItems : found.product.productLineItem;
  if (!lines.some((line) => line.productId === productId))
    throw new StoreFault('product-mismatch', 'The purchase is of another product.');
  const state =
    found.kind === 'subscription'
      ? found.subscription.subscriptionState
      : found.product.purchaseStateContext?.purchaseState;
  if (state === 'PENDING' || state === 'SUBSCRIPTION_STATE_PENDING')
    throw new StoreFault('pending', 'The purchase waits for its payment.');
  if (state === 'CANCELLED' || state === 'SUBSCRIPTION_STATE_PENDING_PURCHASE_CANCELED')
    throw new StoreFault('revoked', 'The purchase was taken back.');
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {
    throw new StoreFault('unavailable', 'Google Play did not answer in time.');
  });
}
