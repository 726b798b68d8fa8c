import { decisionId, profileId, time } from './example-ids.ts';

/** A subscription that runs. */
export const access = {
  createdDate: time,
  id: 163_899_123_456_789,
  isActive: true,
  sourceProductId: 'premium',
  sourceBasePlanId: 'monthly',
  store: 'play_store',
  activatedAt: time,
  isLifetime: false,
  isRefund: false,
  willRenew: true,
  isInGracePeriod: false,
  cancellationReason: null,
  offerId: null,
  startsAt: time,
  renewedAt: null,
  expiresAt: '2026-02-02T03:04:05.678Z',
  activeIntroductoryOfferType: null,
  activePromotionalOfferType: null,
  activePromotionalOfferId: null,
  unsubscribedAt: null,
  billingIssueDetectedAt: null,
};

const attribution = { paywallId: 12, placementId: 'onboarding', isExperiment: true, aiPricingModelId: 3 };
export const appStorePurchase = {
  profileId,
  productId: 'premium.monthly',
  transactionId: '2000001234567890',
  originalTransactionId: '2000001234567890',
  ...attribution,
};
export const playPurchase = {
  profileId,
  productId: 'premium',
  purchaseToken: 'kjdmlfmbhgajnbbjpdcilajm.AO-J1Ox…',
  ...attribution,
  subscriptionOfferDetails: {
    basePlanId: 'monthly',
    pricingPhases: [
      {
        priceAmountMicros: 9_990_000,
        currencyCode: 'USD',
        billingPeriod: 'P1M',
        recurrenceMode: 1,
        billingCycleCount: 0,
      },
    ],
  },
};
export const ledgerEntry = {
  id: 'GPA.3345-1234-5678-90123',
  time,
  type: 'charge',
  store: 'play_store',
  environment: 'production',
  transactionId: 'GPA.3345-1234-5678-90123',
  originalTransactionId: null,
  productId: 'premium',
  amount: '9.99',
  currency: 'EUR',
  usd: '11.4885',
  rate: '1.15',
  refundOf: null,
  paywallId: 12,
  placementId: 'onboarding',
  decisionId,
};
