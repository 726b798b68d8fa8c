import { z } from 'zod';
import { ofMinorUnits } from '../domain/amounts.ts';
import type { AddOn } from '../domain/purchase.ts';
import { amount, minorAmount, storeId } from './fields.ts';

const PlayAddOn = z.strictObject({ productId: storeId, basePlanId: storeId.nullish(), price: amount });
const StripeAddOn = z.strictObject({ productId: storeId, priceId: storeId, amount: minorAmount });

/** What Play sells with a plan, for the same periods. */
export const playAddOns = z.array(PlayAddOn);
/** What Stripe does: more items of a subscription, or more of one payment. */
export const stripeAddOns = z.array(StripeAddOn);
export const addOns = z.array(z.union([PlayAddOn, StripeAddOn]));

export const addOnsOf = (told: z.output<typeof addOns>, currency: string): readonly AddOn[] =>
  told.map((one) =>
    'amount' in one
      ? { productId: one.productId, planId: one.priceId, price: ofMinorUnits(one.amount, currency) }
      : { productId: one.productId, planId: one.basePlanId ?? null, price: one.price },
  );
