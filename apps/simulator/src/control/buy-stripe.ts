import { z } from 'zod';
import { ofMinorUnits } from '../domain/amounts.ts';
import { buy } from '../domain/buy.ts';
import type { Happening, Offer, Purchase } from '../domain/purchase.ts';
import { paymentIdOf } from '../state/ids.ts';
import type { SimulatedApp } from '../state/simulated-app.ts';
import type { SimulatorState } from '../state/simulator-state.ts';
import { addOnsOf, stripeAddOns } from './add-ons.ts';
import { currency, everyPurchase, minorAmount, storeId, unlessNull } from './fields.ts';
import { findApp } from './find-app.ts';
import { newStripeId } from './new-ids.ts';
import { periodOf } from './period-of.ts';
import { waitsOf } from './waits-of.ts';

const everySale = {
  priceId: storeId,
  /** The product of the price; left out, the app's products say it. */
  productId: unlessNull(storeId.optional()),
  amount: minorAmount,
  currency: currency.default('USD'),
  metadata: unlessNull(z.record(z.string().max(40), z.string().max(500)).default({})),
  customerId: unlessNull(storeId.optional()),
  test: unlessNull(z.boolean().default(false)),
  addOns: stripeAddOns.optional(),
  ...everyPurchase,
};

export const StripePayment = z.strictObject(everySale);
export const StripeSubscription = z.strictObject({
  ...everySale,
  trialDays: unlessNull(z.int().min(0).max(730).default(0)),
});

/** A subscription at Stripe, begun now. @throws CallRefused if there is no such app */
export function subscribeAtStripe(
  state: SimulatorState,
  wanted: z.output<typeof StripeSubscription>,
  at: number,
): Happening {
  return sell(state, wanted, 'subscription', trialOf(wanted.trialDays), at);
}

/** A single payment at Stripe, by a checkout, made now. @throws CallRefused if there is no such app */
export function payAtStripe(state: SimulatorState, wanted: z.output<typeof StripePayment>, at: number): Happening {
  return sell(state, wanted, 'one-time', null, at);
}

export const stripeSubscriptionAnswer = ({ purchase: { id, customerId } }: Happening) => ({
  subscriptionId: id,
  customerId,
});
export const stripePaymentAnswer = ({ purchase }: Happening) => ({
  paymentIntentId: paymentIdOf(purchase, 0),
  customerId: purchase.customerId,
});

function sell(
  state: SimulatorState,
  wanted: z.output<typeof StripePayment>,
  kind: Purchase['kind'],
  offer: Offer | null,
  at: number,
): Happening {
  const app = findApp(state, wanted);
  const isOnce = kind === 'one-time';
  const productId = wanted.productId ?? productOf(app, wanted.priceId);
  const period = periodOf(app, { productId, period: wanted.period }, wanted.priceId, isOnce) ?? 'P1M';
  return buy(
    {
      ...{
        store: 'stripe',
        id: newStripeId(isOnce ? 'pi' : 'sub'),
        kind,
        appId: app.appId,
        country: null,
        account: null,
      },
      ...{ environment: wanted.test ? 'sandbox' : 'production', currency: wanted.currency, metadata: wanted.metadata },
      ...{ customerId: wanted.customerId ?? newStripeId('cus'), isConsumable: false, isFamilyShared: false },
      ...{ notifies: wanted.notify, waits: waitsOf('stripe', wanted), offer },
      terms: {
        ...{ productId, planId: wanted.priceId, price: ofMinorUnits(wanted.amount, wanted.currency), period },
        ...(wanted.addOns && { addOns: addOnsOf(wanted.addOns, wanted.currency) }),
      },
    },
    at,
  );
}

const productOf = ({ products }: SimulatedApp, priceId: string): string =>
  products.find(({ planId }) => planId === priceId)?.productId ?? `prod_${priceId.replace(/^price_/, '')}`;

const trialOf = (days: number): Offer | null =>
  days === 0 ? null : { id: null, phase: 'trial', discountType: 'FREE_TRIAL', price: '0', period: `P${days}D` };
