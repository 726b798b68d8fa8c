import { describe, expect, it } from '@jest/globals';
import { acted, type Action } from './act.ts';
import { expectationOf } from './expectation.ts';
import { at, dayMs, plusDays, plusMonths } from './instant.ts';
import { subscribed, type Terms } from './life.ts';
import { claimed, oneTime, oneTimeRefunded, subscription, type Purchase, type Subscription } from './purchase.ts';
import { trialDays } from '../plan/market.ts';

const begin = at(Date.parse('2026-03-05T00:00:00Z'));
const day = (days: number): number => begin.latest + days * dayMs;
const monthly: Terms = { product: 'monthly', price: '9.99' };
const [anna, ben] = ['anna', 'ben'];

function annas(acts: readonly [Action, number][], options: { trial?: boolean; sandbox?: boolean } = {}): Subscription {
  const begun = subscribed('app_store', monthly, options.trial ?? false, begin);
  const life = acts.reduce((done, [action, days]) => acted(done, action, at(day(days))), begun);
  return { ...subscription(life, 'USD', options.sandbox ?? false), owner: anna, payer: anna };
}
const expected = (profile: string, purchases: readonly Purchase[], days: number) =>
  expectationOf(profile, purchases, day(days));

describe('the state of a profile', () => {
  it.each<[string, boolean, [Action, number][], boolean, [Action, number][]]>([
    ['subscribed', true, [], false, []],
    ['active-trial', false, [], true, []],
    ['auto-renew-off', true, [['cancel', 2]], false, []],
    ['auto-renew-off', false, [['cancel', 2]], true, []],
  ])('is %s, paid %p', (state, paid, acts, trial) => {
    expect(expected(anna, [annas(acts, { trial })], 5)).toMatchObject({ state, paid, access: expect.any(Object) });
  });

  it.each<[string, boolean, boolean, number]>([
    ['grace-period', true, false, 31 + 3],
    ['billing-issue', false, false, 31 + 20],
    ['subscription-cancelled', false, false, 31 + 80],
    ['grace-period', false, true, trialDays + 3],
    ['trial-cancelled', false, true, trialDays + 80],
  ])('is %s, paid %p, when payments fail', (state, paid, trial, days) => {
    expect(expected(anna, [annas([['fail-billing', 1]], { trial })], days)).toMatchObject({ state, paid });
  });

  it('is never-subscribed without purchases, with a one-time purchase, and with a sandbox subscription', () => {
    const coins = claimed(
      oneTime({ store: 'stripe', product: 'coins', price: '1.99', currency: 'EUR', isSandbox: false }, begin),
      anna,
    );
    expect(expected(anna, [], 1)).toMatchObject({ state: 'never-subscribed', access: null, ledger: [] });
    expect(expected(anna, [coins], 1)).toMatchObject({ state: 'never-subscribed', paid: false, access: null });
    expect(expected(anna, [annas([], { sandbox: true })], 1)).toMatchObject({
      state: 'never-subscribed',
      paid: false,
      access: { until: [plusMonths(begin, 1)] },
      subscriptions: [{ isActive: true }],
      ledger: [{ isSandbox: true }],
    });
  });

  it('shows the end of a trial, and in grace either end', () => {
    expect(expected(anna, [annas([], { trial: true })], 1).access).toEqual({ until: [plusDays(begin, trialDays)] });
    const inGrace = expected(anna, [annas([['fail-billing', 1]])], 33);
    expect(inGrace.access?.until).toEqual([plusMonths(begin, 1), plusDays(plusMonths(begin, 1), 16)]);
    const pastDue = acted(subscribed('stripe', monthly, true, begin), 'fail-billing', at(day(3)));
    const atStripe = claimed(subscription(pastDue, 'USD', false), anna);
    expect(expected(anna, [atStripe], trialDays + 3).access?.until).toEqual([
      plusMonths(plusDays(begin, trialDays), 1),
    ]);
  });
});

describe('what counts beside', () => {
  it('is of several subscriptions of a product the one that gives access', () => {
    const [former, later] = [annas([['cancel', 2]]), annas([])];
    const since = { ...later, life: subscribed('stripe', monthly, false, at(day(60))) };
    const both = expected(anna, [{ ...former, life: { ...former.life, store: 'stripe' } }, since], 70);
    expect(both).toMatchObject({ state: 'subscribed', subscriptions: [{ isActive: true }] });
    expect(both.subscriptions).toHaveLength(1);
    expect(both.ledger).toHaveLength(2);
  });

  it('is no money, and no state, of what the family shares', () => {
    const shared = { ...annas([]), isShared: true };
    expect(expected(anna, [shared], 40)).toMatchObject({
      ...{ state: 'never-subscribed', paid: false, ledger: [] },
      ...{ access: expect.any(Object), subscriptions: [{ isActive: true }] },
    });
  });
});

describe('whose it is', () => {
  it('is nobody’s until somebody reports it, and then all of it is', () => {
    const unknown = subscription(subscribed('app_store', monthly, false, begin), 'USD', false);
    expect(expected(anna, [unknown], 40)).toMatchObject({ state: 'never-subscribed', ledger: [] });
    expect(expected(anna, [claimed(unknown, anna)], 40).ledger).toHaveLength(2);
  });

  it('moves with its access, and leaves its money, later money too', () => {
    const moved = claimed(annas([]), ben);
    expect(expected(ben, [moved], 40)).toMatchObject({ state: 'subscribed', paid: true, ledger: [] });
    const left = expected(anna, [moved], 40);
    expect(left).toMatchObject({ state: 'subscription-cancelled', paid: false, access: null });
    expect(left.subscriptions).toMatchObject([{ isActive: false }]);
    expect(left.ledger).toHaveLength(2);
    expect(claimed(moved, ben)).toBe(moved);
  });

  it('comes back to whom it was taken from', () => {
    const back = claimed(claimed(annas([]), ben), anna);
    expect(expected(anna, [back], 5)).toMatchObject({ state: 'subscribed', subscriptions: [{ isActive: true }] });
    expect(expected(ben, [back], 5)).toMatchObject({ state: 'subscription-cancelled', ledger: [] });
  });

  it('holds a lifetime purchase until it is refunded', () => {
    const sold = {
      store: 'play_store',
      product: 'lifetime',
      price: '22000',
      currency: 'JPY',
      isSandbox: false,
    } as const;
    const held = oneTime(sold, begin);
    expect(expected(anna, [claimed(held, anna)], 300)).toMatchObject({ paid: true, access: { until: null } });
    const refunded = oneTimeRefunded(oneTimeRefunded({ ...held, owner: anna, payer: anna }, at(day(9))), at(day(10)));
    expect(expected(anna, [refunded], 300)).toMatchObject({
      paid: false,
      access: null,
      oneTimes: [{ isRefund: true }],
    });
    expect(expected(anna, [refunded], 300).ledger.map(({ amount }) => amount)).toEqual(['22000', '-22000']);
  });
});
