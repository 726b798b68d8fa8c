import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { act, actionNames, type ActionOptions } from './actions.ts';
import { buy, usualWaits } from './buy.ts';
import { fallDue, nextDue } from './life-cycle.ts';
import { lastPeriod, storeNames, type NewsType, type Purchase } from './purchase.ts';
import { boughtAt, sale, trial } from './testing/sale.ts';

const day = 86_400_000;
const bought = (fields: Parameters<typeof sale>[0] = {}) => buy(sale(fields), boughtAt).purchase;
const date = (ms: number | null | undefined) => (ms == null ? null : new Date(ms).toISOString().slice(0, 10));

/** Lets everything happen that falls due until then. */
function liveUntil(purchase: Purchase, until: number, told: NewsType[] = []): Purchase {
  const at = nextDue(purchase);
  if (at === null || at > until) return purchase;
  const { purchase: next, news } = fallDue(purchase, at);
  if (news) told.push(news.type);
  return liveUntil(next, until, told);
}

describe('a subscription', () => {
  it('renews from the 31st to the end of each month, and comes back to the 31st', () => {
    const { periods } = liveUntil(bought(), Date.UTC(2026, 5, 1));
    const ends = ['2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31', '2026-06-30'];
    expect(periods.map(({ endsAt }) => date(endsAt))).toEqual(ends);
    expect(periods.map(({ startsAt }) => date(startsAt))).toEqual(['2026-01-31', ...ends.slice(0, -1)]);
  });

  it('ends on the 28th of February when it began on the 29th of a leap year', () => {
    const terms = { ...sale().terms, period: 'P1Y' };
    const leap = buy(sale({ terms }), Date.UTC(2028, 1, 29)).purchase;
    const { periods } = liveUntil(leap, Date.UTC(2032, 1, 1));
    expect(periods.map(({ endsAt }) => date(endsAt))).toEqual(['2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29']);
  });

  it('counts its months from the end of the trial', () => {
    const { periods } = liveUntil(bought({ offer: trial }), boughtAt + 60 * day);
    expect(periods.map(({ phase, amount, endsAt }) => [phase, amount, date(endsAt)])).toEqual([
      ['trial', '0', '2026-02-07'],
      ['regular', '9.99', '2026-03-07'],
      ['regular', '9.99', '2026-04-07'],
    ]);
  });

  it.each([
    ['app-store', ['billing-failed', 'grace-ended', 'ended'], [16, 60]],
    ['play-store', ['billing-failed', 'grace-ended', 'ended'], [7, 37]],
    ['stripe', ['billing-failed', 'ended'], [21]],
  ] as const)('in the %s that is not paid for goes its way', (store, story, days) => {
    const failing: Purchase = { ...bought({ store }), chargesFail: true };
    const told: NewsType[] = [];
    const end = lastPeriod(failing).endsAt!;
    const times: number[] = [];
    let now = liveUntil(failing, end, told);
    for (let due = nextDue(now); due !== null; due = nextDue(now)) {
      times.push((due - end) / day);
      now = liveUntil(now, due, told);
    }
    expect([told, times, now.standing, now.endReason]).toEqual([[...story], [...days], 'ended', 'billing']);
    expect(now.periods).toHaveLength(1);
  });

  it('has neither grace nor retry where it is sold without', () => {
    const failing: Purchase = { ...bought({ waits: { grace: null, retry: null } }), chargesFail: true };
    expect(liveUntil(failing, boughtAt + 29 * day)).toMatchObject({ standing: 'ended', endReason: 'billing' });
  });

  it('keeps its last words for one who cancelled', () => {
    const cancelled: Purchase = { ...bought(), willRenew: false, endReason: 'voluntary' };
    expect(liveUntil(cancelled, boughtAt + 40 * day)).toMatchObject({ standing: 'ended', endReason: 'voluntary' });
  });

  it('is nothing that falls due once it is over, or bought once', () => {
    expect(nextDue({ ...bought(), standing: 'ended' })).toBeNull();
    expect(nextDue(bought({ kind: 'one-time' }))).toBeNull();
  });
});

const options: fc.Arbitrary<ActionOptions> = fc.record({
  terms: fc.constantFrom({}, { price: '4.99' }, { price: '59.99', period: 'P1Y' }, { productId: 'other' }),
  now: fc.boolean(),
  percent: fc.integer({ min: 1, max: 100 }),
  period: fc.constant(null),
  duration: fc.constantFrom('P1W', 'P1M'),
  consented: fc.boolean(),
});
const step = fc.record({
  action: fc.constantFrom(...actionNames),
  afterDays: fc.integer({ min: 0, max: 80 }),
  options,
});

describe('whatever is done to it', () => {
  it('time goes forward, periods are numbered, news too, and nothing falls due in the past', () => {
    const life = fc.tuple(fc.constantFrom(...storeNames), fc.boolean(), fc.array(step, { maxLength: 12 }));
    fc.assert(
      fc.property(life, ([store, withTrial, steps]) => {
        let purchase = bought({ store, offer: withTrial ? trial : null });
        let now = boughtAt;
        for (const { action, afterDays, options: given } of steps) {
          now += afterDays * day;
          purchase = liveUntil(purchase, now);
          const happened = act(purchase, action, now, given);
          if (!('refusal' in happened)) purchase = happened.at(-1)?.purchase ?? purchase;
          const due = nextDue(purchase);
          expect(due === null || due >= now).toBe(true);
        }
        const { periods } = purchase;
        expect(periods.map(({ number }) => number)).toEqual(periods.map((_, index) => index));
        expect(periods.filter(({ startsAt, endsAt, paidAt }) => !(endsAt! >= startsAt && paidAt >= startsAt))).toEqual(
          [],
        );
        expect(purchase.endReason !== null || purchase.standing !== 'ended').toBe(true);
        expect(purchase.waits).toEqual(usualWaits[store]);
      }),
      { numRuns: 300 },
    );
  });

  it('never more is given back than was paid', () => {
    const refunds = fc.array(fc.record({ percent: fc.integer({ min: 1, max: 100 }), isReversal: fc.boolean() }), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(refunds, (steps) => {
        let purchase = bought({ store: 'stripe' });
        for (const { percent, isReversal } of steps) {
          const given = { terms: {}, now: false, percent, period: null, duration: 'P1M', consented: true };
          const happened = act(purchase, isReversal ? 'reverse-refund' : 'refund', boughtAt + 1, given);
          if (!('refusal' in happened)) purchase = happened.at(-1)!.purchase;
          const back = purchase.periods[0].refunds.filter(({ reversedAt }) => reversedAt === null);
          const cents = back.reduce((sum, { amount }) => sum + Math.round(Number(amount) * 100), 0);
          expect(cents).toBeLessThanOrEqual(999);
          for (const { amount } of back) expect(Number(amount)).toBeGreaterThan(0);
        }
      }),
    );
  });
});
