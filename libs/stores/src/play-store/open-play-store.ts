import { setTimeout as sleep } from 'node:timers/promises';
import { StoreFault } from '../store-fault.ts';
import { checkPlayCredentials } from './check-play-credentials.ts';
import {
  observeGivenBack,
  observePlayProduct,
  observePlaySubscription,
  type PlayView,
} from './observe-play-purchase.ts';
import type { PlayProduct, PlaySubscription } from './play-answers.ts';
import { playApi } from './play-api.ts';
import type { PlayServiceAccount } from './play-credentials.ts';
import type { FoundPlayPurchase, PlayLookUp, PlayPurchaseKind, PlayStore, PlayStoreOptions } from './play-store.ts';

type Found = { kind: 'subscription'; subscription: PlaySubscription } | { kind: 'one_time'; product: PlayProduct };

const unknownPurchase = 'Google Play knows no purchase of this app by this purchaseToken.';

/** Google Play for one app, with the libraries that it takes: see playStore. */
export function openPlayStore(account: PlayServiceAccount, packageName: string, options: PlayStoreOptions): PlayStore {
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

  async function find(
    purchaseToken: string,
    kinds: readonly PlayPurchaseKind[],
    signal: AbortSignal,
  ): Promise<Found | 'gone'> {
    for (const delayMs of [0, ...retryDelaysMs]) {
      if (delayMs > 0) await pause(delayMs, signal);
      for (const each of kinds) {
        const found = await lookUp(each, purchaseToken, signal);
        if (found) return found;
      }
    }
    throw new StoreFault('not-found', unknownPurchase);
  }

  /** By its own token a product that was bought again may be unknown, though a bank claims the money back. */
  async function findAgain(wanted: PlayLookUp, signal: AbortSignal): Promise<Found | 'gone'> {
    try {
      return await find(wanted.purchaseToken, wanted.kind ? [wanted.kind] : kindsFrom(null), signal);
    } catch (error) {
      const isForgotten = wanted.mayBeForgotten === true && error instanceof StoreFault && error.kind === 'not-found';
      if (isForgotten) return 'gone';
      throw error;
    }
  }

  async function observeFound(found: Found, view: PlayView, signal: AbortSignal): Promise<FoundPlayPurchase> {
    const observed = await (found.kind === 'subscription'
      ? observePlaySubscription(api, found.subscription, view, signal)
      : observePlayProduct(api, found.product, view, signal));
    return { ...observed, awaitsAcknowledgement: awaitsAcknowledgement(found), isForgotten: false };
  }

  return {
    acknowledge: (...purchase) => api.acknowledge(...purchase),
    voidedPurchases: (...page) => api.voidedPurchases(...page),
    checkCredentials: (signal) => checkPlayCredentials(api, signal),

    async validate({ purchaseToken, productId, kind }, signal) {
      const observedAt = clock.now();
      const found = await find(purchaseToken, kindsFrom(kind), signal);
      if (found === 'gone') throw new StoreFault('not-found', unknownPurchase);
      refuseUnbought(found, productId);
      return observeFound(found, { token: purchaseToken, observedAt }, signal);
    },

    async observe(wanted, signal) {
      const observedAt = clock.now();
      const found = await findAgain(wanted, signal);
      const { orderId, isVoided, voidedSince, wasShown } = wanted;
      const asked = { token: wanted.purchaseToken, observedAt, orderId, isVoided, voidedSince, wasShown };
      if (found === 'gone') {
        const givenBack = await observeGivenBack(api, asked, signal);
        return givenBack && { ...givenBack, awaitsAcknowledgement: false, isForgotten: true };
      }
      const token = givenUpFor(found);
      const inForce = token ? await lookUp('subscription', token, signal) : null;
      return inForce && inForce !== 'gone' && token
        ? observeFound(inForce, { token, observedAt }, signal)
        : observeFound(found, asked, signal);
    },
  };
}

/** Both kinds, the likelier one first: a client's word for the kind is a hint, and can be wrong. */
const kindsFrom = (likelier: PlayPurchaseKind | null): readonly PlayPurchaseKind[] =>
  likelier === 'one_time' ? ['one_time', 'subscription'] : ['subscription', 'one_time'];

/** The token that a plan was to replace, if it was given up before it was paid. */
const givenUpFor = (found: Found): string | null =>
  found.kind === 'subscription' &&
  found.subscription.subscriptionState === 'SUBSCRIPTION_STATE_PENDING_PURCHASE_CANCELED'
    ? (found.subscription.linkedPurchaseToken ?? null)
    : null;

function refuseUnbought(found: Found, productId: string): void {
  const lines = found.kind === 'subscription' ? found.subscription.lineItems : found.product.productLineItem;
  if (!lines.some((line) => line.productId === productId))
    throw new StoreFault('product-mismatch', 'The purchase is of another product than productId.');
  const state =
    found.kind === 'subscription'
      ? found.subscription.subscriptionState
      : found.product.purchaseStateContext?.purchaseState;
  if (state === 'PENDING' || state === 'SUBSCRIPTION_STATE_PENDING')
    throw new StoreFault('pending', 'The purchase waits for its payment.');
  if (state === 'CANCELLED' || state === 'SUBSCRIPTION_STATE_PENDING_PURCHASE_CANCELED')
    throw new StoreFault('revoked', 'The purchase was taken back.');
}

/** Of a one-time purchase only once it is paid: until then Google refuses it. */
const awaitsAcknowledgement = (found: Found): boolean =>
  found.kind === 'subscription'
    ? found.subscription.acknowledgementState === 'ACKNOWLEDGEMENT_STATE_PENDING'
    : found.product.acknowledgementState === 'ACKNOWLEDGEMENT_STATE_PENDING' &&
      found.product.purchaseStateContext?.purchaseState === 'PURCHASED';

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {
    throw new StoreFault('unavailable', 'Google Play did not answer in time.');
  });
}
