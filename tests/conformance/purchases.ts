/** Below the base of v1. */
export const appStorePath = '/purchases/apple-store/validate';
export const playPath = '/purchases/play-store/validate';

const attribution = { paywallId: 1, placementId: 'plain', isExperiment: false, aiPricingModelId: 1 };

/** What a client sends of purchases that no store knows. */
export const appStorePurchase = (profileId: string) => ({
  profileId,
  productId: 'as.monthly',
  transactionId: '2000000000000001',
  originalTransactionId: '2000000000000001',
  ...attribution,
});
export const playPurchase = (profileId: string) => ({
  profileId,
  productId: 'ps-premium',
  purchaseToken: 'a-purchase-token',
  ...attribution,
});
