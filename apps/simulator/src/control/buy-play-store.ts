import { z } from 'zod';
import { buy } from '../domain/buy.ts';
import { isZero } from '../domain/amounts.ts';
import type { Happening, Offer } from '../domain/purchase.ts';
import { paymentIdOf } from '../state/ids.ts';
import type { SimulatorState } from '../state/simulator-state.ts';
import { addOnsOf, playAddOns } from './add-ons.ts';
import { accountId, amount, currency, duration, everyPurchase, quantity, storeId, unlessNull } from './fields.ts';
import { findApp } from './find-app.ts';
import { newPurchaseToken } from './new-ids.ts';
import { periodOf } from './period-of.ts';
import { waitsOf } from './waits-of.ts';

export const PlayPurchase = z.strictObject({
  productId: storeId,
  basePlanId: storeId.nullish(),
  /** An offer is a free trial, unless it has a price. */
  offerId: storeId.nullish(),
  offerPrice: amount.default('0'),
  offerPeriod: duration.default('P7D'),
  price: amount,
  addOns: playAddOns.optional(),
  currency: currency.default('USD'),
  regionCode: z
    .string()
    .regex(/^[A-Z]{2}$/, 'must be two letters, such as US')
    .default('US'),
  obfuscatedAccountId: accountId.nullish(),
  quantity: unlessNull(quantity),
  test: unlessNull(z.boolean().default(false)),
  packageName: unlessNull(storeId.optional()),
  type: unlessNull(z.enum(['subscription', 'one-time']).optional()),
  ...everyPurchase,
});
type PlayPurchase = z.output<typeof PlayPurchase>;

/** A purchase in Google Play, made now. @throws CallRefused if there is no such app */
export function buyInPlayStore(state: SimulatorState, wanted: PlayPurchase, at: number): Happening {
  const app = findApp(state, wanted);
  const planId = wanted.basePlanId ?? null;
  const known = periodOf(app, wanted, planId, wanted.type === 'one-time');
  const period = known ?? (wanted.type === 'subscription' ? 'P1M' : null);
  return buy(
    {
      ...{
        store: 'play-store',
        id: newPurchaseToken(),
        kind: period === null ? 'one-time' : 'subscription',
        appId: app.appId,
      },
      ...{ environment: wanted.test ? 'sandbox' : 'production', currency: wanted.currency, country: wanted.regionCode },
      ...{ account: wanted.obfuscatedAccountId ?? null, metadata: {}, customerId: null, isConsumable: false },
      ...{ isFamilyShared: false, notifies: wanted.notify, waits: waitsOf('play-store', wanted) },
      ...(period === null && wanted.quantity !== undefined && { quantity: wanted.quantity }),
      terms: {
        ...{ productId: wanted.productId, planId, price: wanted.price, period: period ?? 'P1M' },
        ...(wanted.addOns && { addOns: addOnsOf(wanted.addOns, wanted.currency) }),
      },
      offer: period === null ? null : offerOf(wanted),
    },
    at,
  );
}

export const playAnswer = ({ purchase }: Happening) => ({
  purchaseToken: purchase.id,
  orderId: paymentIdOf(purchase, 0),
});

function offerOf({ offerId, offerPrice, offerPeriod }: PlayPurchase): Offer | null {
  if (offerId == null) return null;
  const isTrial = isZero(offerPrice);
  const discountType = isTrial ? 'FREE_TRIAL' : 'PAY_UP_FRONT';
  return { id: offerId, phase: isTrial ? 'trial' : 'intro', discountType, price: offerPrice, period: offerPeriod };
}
