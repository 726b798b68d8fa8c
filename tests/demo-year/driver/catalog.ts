import {
  accessLevel,
  basePlanId,
  isOneTime,
  oneTimeProducts,
  storeProductId,
  stripePriceId,
  subscriptionProducts,
  trialDays,
  type Product,
} from '../plan/market.ts';

export const placementId = 'start';
const periods: Readonly<Record<Product, string>> = {
  monthly: 'monthly',
  family: 'monthly',
  yearly: 'yearly',
  coins: 'once',
  lifetime: 'once',
};

const product = (id: Product) => ({
  id,
  name: id,
  period: periods[id],
  accessLevel: id === 'coins' ? null : accessLevel,
  isConsumable: id === 'coins',
  appStore: { productId: storeProductId('app_store', id) },
  playStore: { productId: storeProductId('play_store', id), ...(isOneTime(id) ? {} : { basePlanId }) },
  stripe: {
    productId: storeProductId('stripe', id),
    priceId: stripePriceId(id),
    ...(isOneTime(id) ? {} : { trialPeriodDays: trialDays }),
  },
});

/** Everything that is sold, on two paywalls that a model chooses from. */
export const catalogOf = (bundleId: string) => ({
  app: { bundleId, packageName: bundleId, restorePolicy: 'transfer' },
  accessLevels: [{ id: accessLevel }],
  products: [...subscriptionProducts, ...oneTimeProducts].map(product),
  paywalls: [
    { id: 'plain', name: 'Plain', products: subscriptionProducts.map((id) => ({ product: id })) },
    {
      id: 'rich',
      name: 'Rich',
      products: [...subscriptionProducts, ...oneTimeProducts].map((id) => ({ product: id })),
    },
  ],
  models: [
    {
      ...{ id: 'year', name: 'Year', candidates: ['plain', 'rich'] },
      traffic: [
        { target: 'ai_model', weight: 90 },
        { target: 'baseline', weight: 10 },
      ],
    },
  ],
  placements: [{ id: placementId, name: 'Start', baseline: 'plain', model: 'year' }],
});
