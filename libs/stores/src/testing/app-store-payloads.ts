/** An app for tests, and the purchases that guides and fixtures speak of. */
export const exampleApp = { bundleId: 'com.example', appAppleId: 1234 };

export type Fields = Readonly<Record<string, unknown>>;

/** A paid month of a subscription, 9.99 USD, bought as it was signed. Fields set to undefined are left out. */
export function transactionPayload(signedDate: number, fields: Fields = {}) {
  return {
    transactionId: '2000',
    originalTransactionId: '1000',
    bundleId: exampleApp.bundleId,
    productId: 'pro.monthly',
    environment: 'Production',
    type: 'Auto-Renewable Subscription',
    inAppOwnershipType: 'PURCHASED',
    quantity: 1,
    purchaseDate: signedDate,
    originalPurchaseDate: signedDate,
    expiresDate: signedDate + 30 * 24 * 60 * 60 * 1000,
    price: 9990,
    currency: 'USD',
    storefront: 'USA',
    transactionReason: 'PURCHASE',
    signedDate,
    ...fields,
  };
}

/** The renewal info of that month: it will renew. */
export function renewalPayload(signedDate: number, fields: Fields = {}) {
  return {
    originalTransactionId: '1000',
    environment: 'Production',
    productId: 'pro.monthly',
    autoRenewProductId: 'pro.monthly',
    autoRenewStatus: 1,
    signedDate,
    ...fields,
  };
}

/** A notification with its parts already signed. `data` replaces fields of the usual one. */
export function notificationPayload(signedDate: number, type: string, data: Fields = {}, fields: Fields = {}) {
  return {
    notificationUUID: '002e14d5-51f5-4503-b5a8-c3a1af68eb20',
    notificationType: type,
    version: '2.0',
    signedDate,
    data: { ...exampleApp, environment: 'Production', status: 1, ...data },
    ...fields,
  };
}
