import { z } from 'zod';
import { replace, replaceLater } from '../domain/replace.ts';
import { newPurchaseToken } from './new-ids.ts';
import { act, actionNames, type ActionName, type ActionOptions } from '../domain/actions.ts';
import { ofMinorUnits } from '../domain/amounts.ts';
import { lastPeriod, type Happening, type Purchase, type StoreName, type Terms } from '../domain/purchase.ts';
import { CallRefused } from '../http/call.ts';
import { paymentIdOf } from '../state/ids.ts';
import type { SimulatorState } from '../state/simulator-state.ts';
import { addOns, addOnsOf } from './add-ons.ts';
import { amount, duration, minorAmount, storeId } from './fields.ts';

/** What an action may be told. Price at the App Store and Play, amount in the smallest unit at Stripe. */
export const ActionBody = z.strictObject({
  productId: storeId.optional(),
  basePlanId: storeId.optional(),
  priceId: storeId.optional(),
  price: amount.optional(),
  amount: minorAmount.optional(),
  period: duration.optional(),
  addOns: addOns.optional(),
  now: z.boolean().default(false),
  percent: z.number().int().min(1).max(100).default(100),
  transactionId: storeId.optional(),
  duration: duration.default('P1M'),
  consented: z.boolean().default(true),
});
export type ActionBody = z.output<typeof ActionBody>;

/** @throws CallRefused 404 if there is no such action */
export function actionOf(name: string): ActionName {
  const action = actionNames.find((each) => each === name);
  if (action) return action;
  throw new CallRefused(404, 'UNKNOWN_ACTION', `There is no action ${name}. These are: ${actionNames.join(', ')}.`);
}

/**
 * The purchase by the store's id of it, or of any of its transactions; of a purchase token that was replaced, the one
 * that took its place.
 * @throws CallRefused 404
 */
export function findPurchase(state: SimulatorState, store: StoreName, id: string): Purchase {
  const found = state.purchases.get(store === 'app-store' ? `${id.slice(0, -4)}0000` : id);
  if (found?.store !== store)
    throw new CallRefused(404, 'UNKNOWN_PURCHASE', `The ${store} has sold nothing with this id.`);
  return found.replacedBy === null ? found : findPurchase(state, store, found.replacedBy);
}

/** What becomes of the purchase. @throws CallRefused 409 if it cannot be now */
export function actOn(purchase: Purchase, action: ActionName, body: ActionBody, at: number): readonly Happening[] {
  const options = optionsOf(purchase, body);
  // Another plan at Play is a purchase of its own.
  if (purchase.store === 'play-store' && purchase.kind === 'subscription') {
    if (action === 'upgrade' && purchase.standing !== 'ended')
      return replace(purchase, options.terms, newPurchaseToken(), at);
    if (action === 'downgrade' && purchase.standing === 'running' && isOtherProduct(purchase, options.terms))
      return replaceLater(purchase, options.terms, newPurchaseToken(), at);
  }
  const happened = act(purchase, action, at, options);
  if ('refusal' in happened) throw new CallRefused(409, 'NOT_NOW', happened.refusal);
  return happened;
}

const isOtherProduct = ({ terms }: Purchase, { productId }: Partial<Terms>): boolean =>
  productId !== undefined && productId !== terms.productId;

function optionsOf(purchase: Purchase, body: ActionBody): ActionOptions {
  const { now, percent, duration: pause, consented } = body;
  return {
    now,
    percent,
    duration: pause,
    consented,
    terms: termsOf(purchase, body),
    period: periodNamed(purchase, body),
  };
}

function termsOf({ currency, store }: Purchase, body: ActionBody): Partial<Terms> {
  const planId = body.basePlanId ?? body.priceId;
  const price = body.amount === undefined ? body.price : ofMinorUnits(body.amount, currency);
  return {
    ...(body.productId !== undefined && { productId: body.productId }),
    ...(planId !== undefined && { planId }),
    ...(price !== undefined && { price }),
    ...(body.period !== undefined && { period: body.period }),
    ...(body.addOns !== undefined && store !== 'app-store' && { addOns: addOnsOf(body.addOns, currency) }),
  };
}

function periodNamed(purchase: Purchase, { transactionId }: ActionBody): number | null {
  if (transactionId === undefined) return null;
  const period = purchase.periods.find(({ number }) => paymentIdOf(purchase, number) === transactionId);
  if (period) return period.number;
  throw new CallRefused(404, 'UNKNOWN_TRANSACTION', 'transactionId names no payment of this purchase.');
}

/** How a purchase stands, for people. */
export function describePurchase(purchase: Purchase) {
  const { store, id, appId, kind, environment, standing, willRenew, chargesFail, until, endReason, currency } =
    purchase;
  const { endsAt, terms, phase, number } = lastPeriod(purchase);
  const time = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
  return {
    ...{ store, id, appId, kind, environment, standing, phase, willRenew, chargesFail, endReason },
    ...(purchase.replaces !== null && { replaces: purchase.replaces }),
    ...{ productId: terms.productId, planId: terms.planId, price: terms.price, currency, period: terms.period },
    transactionId: paymentIdOf(purchase, number),
    expiresAt: kind === 'subscription' ? time(endsAt) : null,
    standsUntil: time(until),
    payments: purchase.periods.map((period) => ({
      transactionId: paymentIdOf(purchase, period.number),
      amount: period.amount,
      paidAt: time(period.paidAt),
      refunds: period.refunds.map(({ at, amount: given, reversedAt }) => ({
        at: time(at),
        amount: given,
        reversedAt: time(reversedAt),
      })),
      ...(period.dispute && { dispute: { ...period.dispute, at: time(period.dispute.at) } }),
    })),
  };
}
