import type { Json } from '../conformance/http.ts';
import type { Seller, World } from './world.ts';

/** What the app tells of a purchase in the App Store. */
export interface AppStoreReceipt {
  readonly productId: string;
  readonly transactionId: string;
  readonly originalTransactionId: string;
}

/** What the simulator is told of a purchase, other than usual. */
export interface PurchaseOptions {
  readonly productId?: string;
  readonly [field: string]: unknown;
}

/** Bought in the simulated App Store: 9.99 USD a month unless `options` say otherwise, and no notification of it. */
export async function boughtInAppStore(
  { simulator, a }: World,
  options: PurchaseOptions = {},
  seller: Seller = a,
): Promise<AppStoreReceipt> {
  const productId = options.productId ?? 'pro.monthly';
  const usual = { appId: seller.appId, productId, price: '9.99', currency: 'USD', notify: false };
  const { transactionId, originalTransactionId } = await simulator.call('POST', '/app-store/purchases', {
    ...usual,
    ...options,
  });
  return { productId, transactionId, originalTransactionId };
}

export interface PlayReceipt {
  readonly productId: string;
  readonly purchaseToken: string;
}

/** The same at Google Play, with its base plan. */
export async function boughtAtPlay(
  { simulator, a }: World,
  options: PurchaseOptions = {},
  seller: Seller = a,
): Promise<PlayReceipt> {
  const productId = options.productId ?? 'pro.monthly';
  const usual = {
    appId: seller.appId,
    productId,
    basePlanId: 'standard',
    price: '9.99',
    currency: 'USD',
    notify: false,
  };
  const { purchaseToken } = await simulator.call('POST', '/play-store/purchases', { ...usual, ...options });
  return { productId, purchaseToken };
}

/** A subscription at Stripe, 9.99 USD a month, with its notifications. @returns its id */
export async function boughtAtStripe(
  { simulator, a }: World,
  profileId: string,
  options: PurchaseOptions = {},
): Promise<string> {
  const usual = {
    appId: a.appId,
    priceId: 'price_pro.monthly',
    productId: 'prod_pro.monthly',
    amount: 999,
    currency: 'usd',
  };
  const body = { ...usual, metadata: { profileId }, ...options };
  const { subscriptionId }: Json = await simulator.call('POST', '/stripe/subscriptions', body);
  return subscriptionId;
}
