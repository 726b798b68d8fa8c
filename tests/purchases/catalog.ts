export const accessLevel = 'premium';
/** What the add-on `coach` gives. */
export const coachingLevel = 'coaching';
export const placementId = 'start';
/** Where a model chooses, and learns from what is bought. */
export const learningPlacementId = 'offer';
export const model = 'offer-ltv';

const oneTime = ['coins100', 'lifetime'];
const levelOf = (id: string) => (id === 'coins100' ? null : id === 'coach' ? coachingLevel : accessLevel);
const product = (id: string) => ({
  id,
  name: id,
  period: oneTime.includes(id) ? 'once' : 'monthly',
  accessLevel: levelOf(id),
  isConsumable: id === 'coins100',
  appStore: { productId: id },
  playStore: { productId: id, ...(oneTime.includes(id) ? {} : { basePlanId: 'standard' }) },
  stripe: { productId: `prod_${id}`, priceId: `price_${id}`, ...(oneTime.includes(id) ? {} : { trialPeriodDays: 7 }) },
});

/** What apps A and B sell. */
export const catalogOf = (bundleId: string) => ({
  app: { bundleId, packageName: bundleId, restorePolicy: 'transfer' },
  accessLevels: [{ id: accessLevel }, { id: coachingLevel }],
  products: ['pro.monthly', 'pro.yearly', 'coach', ...oneTime].map(product),
  paywalls: [{ id: 'only', name: 'Only', products: [{ product: 'pro.monthly' }, { product: 'pro.yearly' }] }],
  models: [{ id: model, name: 'Offer', candidates: ['only'], traffic: [{ target: 'ai_model', weight: 100 }] }],
  placements: [
    { id: placementId, name: 'Start', baseline: 'only' },
    { id: learningPlacementId, name: 'Offer', baseline: 'only', model },
  ],
});
