import { expect, it } from '@jest/globals';
import { act, type ActionOptions } from '../domain/actions.ts';
import { buy } from '../domain/buy.ts';
import { fallDue, nextDue } from '../domain/life-cycle.ts';
import type { Purchase } from '../domain/purchase.ts';
import { boughtAt, sale } from '../domain/testing/sale.ts';
import { subscriptionResource } from './play-resources.ts';

const day = 86_400_000;
const terms = { productId: 'pro', planId: 'monthly', price: '9.99', period: 'P1M' };
const bought = buy(sale({ store: 'play-store', id: 'token', terms }), boughtAt).purchase;
const usual: ActionOptions = { terms: {}, now: false, percent: 100, period: null, duration: 'P1M', consented: true };
const dearer = (consented: boolean): Purchase => {
  const done = act(bought, 'price-increase', boughtAt + day, { ...usual, terms: { price: '14.99' }, consented });
  if ('refusal' in done) throw new Error(done.refusal);
  return done.at(-1)!.purchase;
};
const planOf = (purchase: Purchase) => subscriptionResource(purchase).lineItems?.[0]?.autoRenewingPlan;

it.each([
  [true, 'CONFIRMED'],
  [false, 'OUTSTANDING'],
])('tells a dearer price beside the present one until it is charged (agreed to: %s)', (consented, priceChangeState) => {
  expect(planOf(dearer(consented))).toMatchObject({
    recurringPrice: { units: '9', nanos: 990_000_000 },
    priceChangeDetails: {
      newPrice: { currencyCode: 'USD', units: '14', nanos: 990_000_000 },
      ...{ priceChangeMode: 'PRICE_INCREASE', priceChangeState },
      expectedNewPriceChargeTime: '2026-02-28T12:00:00.000Z',
    },
  });
});

it('tells it as the present one from then on', () => {
  const raised = dearer(true);
  const plan = planOf(fallDue(raised, nextDue(raised)!).purchase);
  expect(plan).toMatchObject({ recurringPrice: { units: '14' } });
  expect(plan).not.toHaveProperty('priceChangeDetails');
});
