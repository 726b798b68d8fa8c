import type { Json } from './http.ts';
/** The products of the suite's paywall `calm`, as v1 and v2 must show them; `ids` as the catalog's PUT gave them. */
const noOffers = {
  basePlanId: null,
  offerId: null,
  appStoreOfferType: null,
  promotionalOfferId: null,
  winBackOfferId: null,
  offerIds: [],
};
const entry = (store: string, productId: string, serviceProductId: number, fields: object = {}) => ({
  ...noOffers,
  store,
  productId,
  sourceProductId: productId,
  serviceProductId,
  isConsumable: false,
  ...fields,
});

export const calmSourceProducts = ({ products }: Json) => [
  entry('app_store', 'as.monthly', products.monthly, {
    offerId: 'as-offer',
    offerIds: ['as-offer'],
    appStoreOfferType: 'promotional',
    promotionalOfferId: 'as-promo',
    winBackOfferId: 'as-back',
  }),
  entry('play_store', 'ps-premium', products.monthly, {
    basePlanId: 'ps-plan',
    offerId: 'ps-intro',
    offerIds: ['ps-intro'],
  }),
  entry('stripe', 'prod_1', products.monthly),
  entry('app_store', 'as.yearly', products.yearly),
  entry('play_store', 'ps-coins', products.coins, { isConsumable: true }),
];

const notSold = { appStore: null, playStore: null, stripe: null, web2wave: null, custom: null };

export const calmPaywallProducts = ({ paywallProducts }: Json) => [
  {
    paywallProductId: paywallProducts['calm/0'],
    name: 'Premium monthly',
    period: 'monthly',
    appStore: {
      productId: 'as.monthly',
      offerId: 'as-offer',
      promotionalOfferId: 'as-promo',
      offerType: 'promotional',
    },
    playStore: { productId: 'ps-premium', basePlanId: 'ps-plan', offerId: 'ps-intro' },
    stripe: { productId: 'prod_1', priceId: 'price_1', trialPeriodDays: 7 },
    web2wave: { productId: 'w2w-1' },
    custom: { productId: 'c-1' },
  },
  {
    ...notSold,
    paywallProductId: paywallProducts['calm/1'],
    name: 'Premium yearly',
    period: 'yearly',
    appStore: { productId: 'as.yearly', offerId: null, promotionalOfferId: null, offerType: null },
  },
  {
    ...notSold,
    paywallProductId: paywallProducts['calm/2'],
    name: 'Coins',
    period: 'once',
    playStore: { productId: 'ps-coins', basePlanId: null, offerId: null },
  },
  {
    ...notSold,
    paywallProductId: paywallProducts['calm/3'],
    name: 'On the web',
    period: 'monthly',
    web2wave: { productId: 'w2w-2' },
    custom: { productId: 'c-2' },
  },
];
