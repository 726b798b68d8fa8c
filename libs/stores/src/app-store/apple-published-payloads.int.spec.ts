import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { appStoreWorld, inTime, type AppStoreWorld } from './testing/app-store-world.ts';

/**
 * The fields and values of Apple's fixtures (tests/resources/models of its server library for Node), with the
 * environment, LocalTesting there, rewritten: what is not production or sandbox is not believed.
 */
const environment = 'Production';
const bundleId = 'com.example';

const transaction = {
  transactionId: '23456',
  originalTransactionId: '12345',
  webOrderLineItemId: '34343',
  bundleId,
  productId: 'com.example.product',
  subscriptionGroupIdentifier: '55555',
  purchaseDate: 1698148900000,
  originalPurchaseDate: 1698148800000,
  expiresDate: 1698149000000,
  quantity: 1,
  type: 'Auto-Renewable Subscription',
  appAccountToken: '7e3fb20b-4cdb-47cc-936d-99d65f608138',
  inAppOwnershipType: 'PURCHASED',
  signedDate: 1698148900000,
  revocationReason: 1,
  revocationDate: 1698148950000,
  isUpgraded: true,
  offerType: 1,
  offerIdentifier: 'abc.123',
  environment,
  transactionReason: 'PURCHASE',
  storefront: 'USA',
  storefrontId: '143441',
  price: 10990,
  currency: 'USD',
  offerDiscountType: 'PAY_AS_YOU_GO',
  appTransactionId: '71134',
  offerPeriod: 'P1Y',
};

const renewal = {
  expirationIntent: 1,
  originalTransactionId: '12345',
  autoRenewProductId: 'com.example.product.2',
  productId: 'com.example.product',
  autoRenewStatus: 1,
  isInBillingRetryPeriod: true,
  priceIncreaseStatus: 0,
  gracePeriodExpiresDate: 1698148900000,
  offerType: 2,
  offerIdentifier: 'abc.123',
  signedDate: 1698148800000,
  environment,
  recentSubscriptionStartDate: 1698148800000,
  renewalDate: 1698148850000,
  renewalPrice: 9990,
  currency: 'USD',
  offerDiscountType: 'PAY_AS_YOU_GO',
};

const notification = {
  notificationUUID: '002e14d5-51f5-4503-b5a8-c3a1af68eb20',
  version: '2.0',
  signedDate: 1698148900000,
};

let world: AppStoreWorld;
beforeAll(async () => {
  world = await appStoreWorld();
});
afterAll(() => world.stop());

function read(notificationType: string, over: object = {}, data: object = {}) {
  const { pki, store } = world;
  const parts = {
    signedTransactionInfo: pki.sign({ ...transaction, ...over }),
    signedRenewalInfo: pki.sign(renewal),
  };
  const app = { environment, appAppleId: 1234, bundleId, bundleVersion: '1.2.3' };
  const signedPayload = pki.sign({ ...notification, notificationType, data: { ...app, ...parts, ...data } });
  return store.readNotification(JSON.stringify({ signedPayload }), inTime());
}

describe('Apple’s published payloads', () => {
  it('tell of a refunded, upgraded transaction, and not of how its subscription goes on', async () => {
    await expect(read('REFUND', {}, { status: 1 })).resolves.toMatchObject({
      notificationId: '002e14d5-51f5-4503-b5a8-c3a1af68eb20',
      environment: 'production',
      observation: {
        originalId: '12345',
        observedAt: 1698148900000,
        account: '7e3fb20b-4cdb-47cc-936d-99d65f608138',
        subscription: null,
        transactions: [
          {
            transactionId: '23456',
            productId: 'com.example.product',
            offerId: 'abc.123',
            phase: 'intro',
            price: { amount: '10.99', currency: 'USD' },
            isUpgraded: true,
          },
        ],
        refunds: [{ refundId: '23456:1698148950000', amount: null, reason: 'issue' }],
      },
    });
  });

  it('tell of a part of the price, by REFUND_PRORATED and 50000', async () => {
    const prorated = { revocationType: 'REFUND_PRORATED', revocationPercentage: 50_000 };
    const { observation } = await read('REFUND', prorated);
    expect(observation?.refunds).toMatchObject([{ amount: { amount: '5.495', currency: 'USD' } }]);
    const unsaid = await read('REFUND', { revocationType: 'REFUND_PRORATED' });
    expect(unsaid.observation).toMatchObject({ refunds: [], revokedTransactions: ['23456'] });
  });

  it('tell of a change of product for the next period', async () => {
    const whole = { revocationDate: undefined, revocationReason: undefined, isUpgraded: undefined };
    const { observation } = await read('DID_CHANGE_RENEWAL_PREF', whole, { status: 1 });
    expect(observation?.subscription).toMatchObject({ status: 'intro', renewsAs: 'com.example.product.2' });
    expect(observation?.observedAt).toBe(1698148800000);
  });

  it('ask for data on consumption, which says nothing that we use', async () => {
    const request = { status: 1, consumptionRequestReason: 'UNINTENDED_PURCHASE' };
    await expect(read('CONSUMPTION_REQUEST', {}, request)).resolves.toMatchObject({ observation: null });
  });

  it('are another app’s by their own appAppleId', async () => {
    await expect(read('REFUND', {}, { appAppleId: 41234 })).rejects.toMatchObject({ kind: 'bundle-mismatch' });
  });
});
