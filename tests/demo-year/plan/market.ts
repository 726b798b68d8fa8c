/** What the shop of the demo year sells, where, and for how much. */
export const stores = ['app_store', 'play_store', 'stripe'] as const;
export type Store = (typeof stores)[number];

export const subscriptionProducts = ['monthly', 'family', 'yearly'] as const;
export type SubscriptionProduct = (typeof subscriptionProducts)[number];
export const oneTimeProducts = ['coins', 'lifetime'] as const;
export type OneTimeProduct = (typeof oneTimeProducts)[number];
export type Product = SubscriptionProduct | OneTimeProduct;

export const isOneTime = (product: Product): product is OneTimeProduct =>
  oneTimeProducts.some((oneTime) => oneTime === product);

/** Calendar months of a period. */
export const monthsOf: Readonly<Record<SubscriptionProduct, number>> = { monthly: 1, family: 1, yearly: 12 };

export const accessLevel = 'premium';
/** Consumables give no access. */
export const givesAccess = (product: Product): boolean => product !== 'coins';

export const currencies = ['USD', 'EUR', 'GBP', 'JPY', 'BRL'] as const;
export type Currency = (typeof currencies)[number];
/** ISO 3166-1: alpha-2, and alpha-3 as the App Store has it. */
export const countryOf: Readonly<Record<Currency, string>> = { USD: 'US', EUR: 'DE', GBP: 'GB', JPY: 'JP', BRL: 'BR' };

export const storefrontOf: Readonly<Record<Currency, string>> = {
  USD: 'USA',
  EUR: 'DEU',
  GBP: 'GBR',
  JPY: 'JPN',
  BRL: 'BRA',
};

/** In the currency's own unit. */
export const prices: Readonly<Record<Product, Readonly<Record<Currency, string>>>> = {
  monthly: { USD: '9.99', EUR: '9.99', GBP: '7.99', JPY: '1500', BRL: '59.90' },
  family: { USD: '14.99', EUR: '14.99', GBP: '12.49', JPY: '2300', BRL: '89.90' },
  yearly: { USD: '59.99', EUR: '59.99', GBP: '49.99', JPY: '9000', BRL: '349.90' },
  coins: { USD: '1.99', EUR: '2.29', GBP: '1.79', JPY: '300', BRL: '11.90' },
  lifetime: { USD: '149.99', EUR: '149.99', GBP: '129.99', JPY: '22000', BRL: '899.90' },
};

/** What a monthly subscription costs after the price was raised. */
export const raisedPrices: Readonly<Record<Currency, string>> = {
  USD: '11.99',
  EUR: '11.99',
  GBP: '9.49',
  JPY: '1800',
  BRL: '71.90',
};

export const trialDays = 7;

/** The name under which a store sells it, and under which the API lists it. */
export function storeProductId(store: Store, product: Product): string {
  if (store === 'app_store') return `year.${product}`;
  return store === 'play_store' ? `year_${product}` : `prod_year_${product}`;
}

export const basePlanId = 'standard';
export const trialOfferId = 'first-week';
export const stripePriceId = (product: Product): string => `price_year_${product}`;
