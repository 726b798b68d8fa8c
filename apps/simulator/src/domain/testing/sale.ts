import { usualWaits, type Sale } from '../buy.ts';
import type { Offer } from '../purchase.ts';

/** The last of January, when a month is not always a month. */
export const boughtAt = Date.UTC(2026, 0, 31, 12);

/** A monthly subscription in the App Store, 9.99 USD; fields replace its own. */
export const sale = (fields: Partial<Sale> = {}): Sale => ({
  ...{ store: 'app-store', id: '2000000000010000', kind: 'subscription', appId: 1, environment: 'production' },
  ...{ currency: 'USD', country: 'USA', account: null, metadata: {}, customerId: null, offer: null },
  ...{ isConsumable: false, isFamilyShared: false, notifies: true, waits: usualWaits[fields.store ?? 'app-store'] },
  terms: { productId: 'pro.monthly', planId: null, price: '9.99', period: 'P1M' },
  ...fields,
});

export const trial: Offer = { id: null, phase: 'trial', discountType: 'FREE_TRIAL', price: '0', period: 'P7D' };
