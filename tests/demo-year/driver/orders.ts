import {
  basePlanId,
  countryOf,
  isOneTime,
  storefrontOf,
  storeProductId,
  stripePriceId,
  trialDays,
  trialOfferId,
  type Currency,
  type Product,
  type Store,
} from '../plan/market.ts';
import type { Terms } from '../model/life.ts';

/** Where something was bought, and for what money. */
export type Seller = Pick<Order, 'store' | 'currency'>;

/** What is bought of the simulated stores, by whom. */
export interface Order {
  readonly store: Store;
  readonly product: Product;
  /** Decimal text. */
  readonly price: string;
  /** Of pieces, each at the price. Absent: one. App Store and Play. */
  readonly quantity?: number;
  readonly extras?: Terms['extras'];
  readonly currency: Currency;
  readonly withTrial: boolean;
  readonly isSandbox: boolean;
  /** By the family, in the App Store. */
  readonly isShared: boolean;
  /** A profile id that the store is told; null: it knows of none. */
  readonly account: string | null;
}

/** A purchase as its store names it: `id` in the simulator's addresses, the rest for the app to report. */
export interface Receipt {
  readonly id: string;
  readonly report: Readonly<Record<string, string>>;
}

const periodOf = (product: Product): string => (product === 'yearly' ? 'P1Y' : 'P1M');

/** A call on the simulator, on behalf of the app. */
type Call = <Answer>(path: string, body: object) => Promise<Answer>;

function planOf(store: Store, product: Product): object {
  const productId = storeProductId(store, product);
  if (store === 'app_store') return { productId };
  if (store === 'play_store') return { productId, basePlanId: isOneTime(product) ? null : basePlanId };
  return { productId, priceId: stripePriceId(product) };
}

/** How each store is bought at. */
export const buyers: Readonly<Record<Store, (call: Call, order: Order) => Promise<Receipt>>> = {
  app_store: buyAtAppStore,
  play_store: buyAtPlayStore,
  stripe: buyAtStripe,
};

/** At Stripe in the currency's smallest unit: the yen has no smaller one. */
function costing(store: Store, price: string, currency: Currency): object {
  if (store !== 'stripe') return { price };
  const [whole = '', fraction = ''] = price.split('.');
  return { amount: Number(currency === 'JPY' ? whole : whole + fraction.padEnd(2, '0')) };
}

const soldAs = ({ store, product, price, quantity, extras = [], currency }: Order) => ({
  ...planOf(store, product),
  ...costing(store, price, currency),
  ...(extras.length > 0 && {
    addOns: extras.map((extra) => ({ ...planOf(store, extra.product), ...costing(store, extra.price, currency) })),
  }),
  currency,
  ...(quantity !== undefined && { quantity }),
  ...(!isOneTime(product) && { period: periodOf(product) }),
});

async function buyAtAppStore(call: Call, order: Order): Promise<Receipt> {
  const { product, currency, withTrial, isSandbox, isShared, account } = order;
  const answer = await call<{ transactionId: string; originalTransactionId: string }>('/app-store/purchases', {
    ...soldAs(order),
    ...(isOneTime(product) && { type: product === 'coins' ? 'consumable' : 'non-consumable' }),
    storefront: storefrontOf[currency],
    ...(withTrial && { offerType: 'FREE_TRIAL', offerPeriod: `P${trialDays}D` }),
    ...(account && { appAccountToken: account }),
    ...(isShared && { familyShared: true }),
    environment: isSandbox ? 'sandbox' : 'production',
  });
  const { transactionId, originalTransactionId } = answer;
  const productId = storeProductId('app_store', product);
  return { id: originalTransactionId, report: { productId, transactionId, originalTransactionId } };
}

async function buyAtPlayStore(call: Call, order: Order): Promise<Receipt> {
  const { product, currency, withTrial, isSandbox, account } = order;
  const { purchaseToken } = await call<{ purchaseToken: string; orderId: string }>('/play-store/purchases', {
    ...soldAs(order),
    ...(isOneTime(product) && { type: 'one-time' }),
    regionCode: countryOf[currency],
    ...(withTrial && { offerId: trialOfferId, offerPeriod: `P${trialDays}D` }),
    ...(account && { obfuscatedAccountId: account }),
    test: isSandbox,
  });
  return { id: purchaseToken, report: { productId: storeProductId('play_store', product), purchaseToken } };
}

async function buyAtStripe(call: Call, order: Order): Promise<Receipt> {
  const { withTrial, isSandbox, account, product } = order;
  const body = { ...soldAs(order), metadata: account ? { profileId: account } : {}, test: isSandbox };
  if (isOneTime(product)) {
    const { paymentIntentId } = await call<{ paymentIntentId: string }>('/stripe/payments', body);
    return { id: paymentIntentId, report: {} };
  }
  const trial = withTrial ? { trialDays } : {};
  const { subscriptionId } = await call<{ subscriptionId: string }>('/stripe/subscriptions', { ...body, ...trial });
  return { id: subscriptionId, report: {} };
}

/** What a change of plan or price leads to, as the store's simulator wants it told. */
export const changeOf = ({ store, currency }: Seller, { product, price }: Terms): object => ({
  ...planOf(store, product),
  ...costing(store, price, currency),
  period: periodOf(product),
});
