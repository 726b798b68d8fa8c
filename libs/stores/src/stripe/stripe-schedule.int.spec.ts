import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Observation } from '@paywright/contracts';
import type { StripePhaseObject, StripeScheduleObject, StripeSubscriptionObject } from '../testing/stripe-objects.ts';
import { stripePhase } from '../testing/stripe-purchases.ts';
import { day, period, StripeScene } from '../testing/stripe-scene.ts';

let scene: StripeScene;
beforeEach(async () => {
  scene = await StripeScene.start();
});
afterEach(() => scene.stop());

const current = stripePhase(period);
const later = { ...period, startsAt: period.endsAt, endsAt: period.endsAt + 360 * day };
const dearer = stripePhase({ ...later, priceId: 'price_2', amount: 1299 });

describe('stripeStore.observe, subscriptions with a schedule', () => {
  const scheduled = async (
    phases: StripePhaseObject[],
    behavior: StripeScheduleObject['end_behavior'] = 'release',
    changes: Partial<StripeSubscriptionObject> = {},
  ) => {
    const schedule = { id: 'sub_sched_1', object: 'subscription_schedule', end_behavior: behavior, phases } as const;
    scene.subscribed({ schedule, ...changes });
    const seen = await scene.observe();
    expect(Observation.parse(seen)).toEqual(seen);
    return seen?.subscription;
  };

  it('tells the price that is scheduled for the next period', async () => {
    const renewalPrice = { amount: '12.99', currency: 'USD' };
    expect(await scheduled([current, dearer])).toMatchObject({ renewalPrice, willRenew: true, renewsAs: null });
  });

  it('tells the price in the currency of the subscription', async () => {
    const euros = { currency_options: { eur: { unit_amount: 1199 } } };
    const items = dearer.items.map((item) => ({ ...item, price: { ...item.price, ...euros } }));
    expect(await scheduled([current, { ...dearer, items }], 'release', { currency: 'eur' })).toMatchObject({
      renewalPrice: { amount: '11.99', currency: 'EUR' },
    });
  });

  it('tells the product that the next period is of', async () => {
    const other = stripePhase({ ...later, productId: 'prod_2', priceId: 'price_2', amount: 500 });
    expect(await scheduled([current, other])).toMatchObject({
      renewalPrice: { amount: '5', currency: 'USD' },
      renewsAs: 'prod_2',
    });
  });

  it('goes on at its price until a phase begins, and after the last one', async () => {
    const goesOn = { renewalPrice: { amount: '9.99', currency: 'USD' }, willRenew: true, renewsAs: null };
    expect(await scheduled([current])).toMatchObject(goesOn);
    const long = stripePhase({ ...period, endsAt: later.endsAt });
    const last = stripePhase({ ...later, startsAt: later.endsAt, endsAt: later.endsAt + 30 * day, amount: 1 });
    expect(await scheduled([long, last])).toMatchObject(goesOn);
  });

  it('ends where the schedule ends it, and not where cancel_at only ends a phase', async () => {
    const unending = await scheduled([current, dearer], 'release', { cancel_at: period.endsAt / 1000 });
    expect(unending).toMatchObject({ willRenew: true, cancellationReason: null });
    const ending = await scheduled([current], 'cancel');
    expect(ending).toMatchObject({ willRenew: false, cancellationReason: 'voluntarily_cancelled' });
    expect(ending).not.toHaveProperty('renewalPrice');
    expect(await scheduled([current, dearer], 'cancel')).toMatchObject({ willRenew: true });
    expect(await scheduled([current, dearer], 'release', { cancel_at_period_end: true })).toMatchObject({
      willRenew: false,
    });
  });

  it.each<[string, Partial<StripePhaseObject>]>([
    ['discounts', { discounts: [{ coupon: 'c' }] }],
    ['a trial', { trial_end: later.endsAt / 1000 }],
    ['other items', { items: [...dearer.items, ...dearer.items] }],
    ['a discounted item', { items: dearer.items.map((one) => ({ ...one, discounts: [{ coupon: 'c' }] })) }],
  ])('tells no price of a phase with %s', async (_, changes) => {
    expect(await scheduled([current, { ...dearer, ...changes }])).not.toHaveProperty('renewalPrice');
  });

  it('tells no price where the key may not read the schedule', async () => {
    scene.stripe.faults.push({ kind: 'forbidden', on: /subscription_schedules/ });
    expect(await scheduled([current, dearer])).not.toHaveProperty('renewalPrice');
  });
});
