import { z } from 'zod';
import { paymentIdOf } from '../state/ids.ts';
import { buy } from '../domain/buy.ts';
import type { Happening, Offer } from '../domain/purchase.ts';
import type { SimulatorState } from '../state/simulator-state.ts';
import { accountId, amount, currency, duration, everyPurchase, quantity, storeId, unlessNull } from './fields.ts';
import { findApp } from './find-app.ts';
import { newOriginalId } from './new-ids.ts';
import { periodOf } from './period-of.ts';
import { waitsOf } from './waits-of.ts';

const discountTypes = ['FREE_TRIAL', 'PAY_UP_FRONT', 'PAY_AS_YOU_GO'] as const;

export const AppStorePurchase = z.strictObject({
  productId: storeId,
  price: amount,
  currency: currency.default('USD'),
  storefront: z
    .string()
    .regex(/^[A-Z]{3}$/, 'must be three letters, such as USA')
    .default('USA'),
  offerType: z
    .string()
    .transform((text) => text.toUpperCase().replaceAll('-', '_'))
    .pipe(z.enum(discountTypes, 'must be free_trial, pay_up_front or pay_as_you_go'))
    .nullish(),
  offerId: storeId.nullish(),
  offerPrice: amount.optional(),
  offerPeriod: duration.default('P7D'),
  appAccountToken: accountId.nullish(),
  environment: unlessNull(
    z
      .string()
      .transform((text) => text.toLowerCase())
      .pipe(z.enum(['production', 'sandbox'], 'must be production or sandbox'))
      .default('production'),
  ),
  bundleId: unlessNull(storeId.optional()),
  type: unlessNull(z.enum(['subscription', 'consumable', 'non-consumable']).optional()),
  familyShared: z.boolean().default(false),
  quantity: unlessNull(quantity),
  ...everyPurchase,
});
type AppStorePurchase = z.output<typeof AppStorePurchase>;

/** A purchase in the App Store, made now. @throws CallRefused if there is no such app */
export function buyInAppStore(state: SimulatorState, wanted: AppStorePurchase, at: number): Happening {
  const app = findApp(state, wanted);
  const known = periodOf(app, wanted, null, wanted.type === 'consumable' || wanted.type === 'non-consumable');
  const period = known ?? (wanted.type === 'subscription' ? 'P1M' : null);
  const isOneTime = period === null;
  return buy(
    {
      ...{
        store: 'app-store',
        id: newOriginalId(state),
        kind: isOneTime ? 'one-time' : 'subscription',
        appId: app.appId,
      },
      ...{ environment: wanted.environment, currency: wanted.currency, country: wanted.storefront, customerId: null },
      ...{ account: wanted.appAccountToken ?? null, metadata: {}, isConsumable: wanted.type === 'consumable' },
      ...{ isFamilyShared: wanted.familyShared, notifies: wanted.notify },
      ...(isOneTime && wanted.quantity !== undefined && { quantity: wanted.quantity }),
      terms: { productId: wanted.productId, planId: null, price: wanted.price, period: period ?? 'P1M' },
      offer: isOneTime ? null : offerOf(wanted),
      waits: waitsOf('app-store', wanted),
    },
    at,
  );
}

export const appStoreAnswer = ({ purchase }: Happening) => ({
  transactionId: paymentIdOf(purchase, 0),
  originalTransactionId: purchase.id,
});

function offerOf({ offerType, offerId, offerPrice, offerPeriod, price }: AppStorePurchase): Offer | null {
  if (offerType == null) return null;
  const isTrial = offerType === 'FREE_TRIAL';
  return {
    id: offerId ?? null,
    phase: isTrial ? 'trial' : 'intro',
    discountType: offerType,
    price: isTrial ? '0' : (offerPrice ?? price),
    period: offerPeriod,
  };
}
