import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { acted, actions, type Action } from './act.ts';
import { isEqual, zero } from './decimal.ts';
import { at, dayMs, plusDays, plusMonths } from './instant.ts';
import { chargesOf, livedUntil, nextTurn, restOf, subscribed, type Life, type Terms } from './life.ts';
import { storeRules } from './store-rules.ts';
import { stores, type Store } from '../plan/market.ts';

const begin = at(Date.parse('2026-01-15T09:30:00.123Z'));
const monthly: Terms = { product: 'monthly', price: '9.99' };
const family: Terms = { product: 'family', price: '14.99' };
const yearly: Terms = { product: 'yearly', price: '59.99' };
const paying = (store: Store = 'app_store', terms = monthly): Life => subscribed(store, terms, false, begin);
const day = (days: number): number => begin.latest + days * dayMs;
const amountsOf = ({ movements }: Life): readonly string[] => movements.map(({ amount }) => amount);

describe('a subscription left alone', () => {
  it('is paid at the beginning of each month, to the millisecond', () => {
    const life = livedUntil(paying(), plusMonths(begin, 12).latest - 1);
    expect(amountsOf(life)).toEqual(Array.from({ length: 12 }, () => '9.99'));
    expect(new Date(life.end.latest).toISOString()).toBe('2027-01-15T09:30:00.123Z');
  });

  it('counts months from its first day, whatever the shorter ones between', () => {
    const life = subscribed('stripe', monthly, false, at(Date.parse('2026-01-31T00:00:00Z')));
    const ends = [1, 2, 3].map((n) => livedUntil(life, Date.parse(`2026-0${n + 1}-10T00:00:00Z`)).end.latest);
    expect(ends.map((ms) => new Date(ms).toISOString().slice(0, 10))).toEqual([
      '2026-02-28',
      '2026-03-31',
      '2026-04-30',
    ]);
  });

  it('costs nothing in its trial, and the price from its end on', () => {
    const life = subscribed('play_store', monthly, true, begin);
    expect(livedUntil(life, day(6)).movements).toEqual([]);
    const converted = livedUntil(life, day(7));
    expect(converted).toMatchObject({ isTrial: false, hasPaid: true, start: plusDays(begin, 7) });
    expect(converted.end).toEqual(plusMonths(plusDays(begin, 7), 1));
  });
});

describe('a failed payment', () => {
  const failing = (store: Store): Life => acted(paying(store), 'fail-billing', at(day(20)));

  it.each(stores)('at %s is grace, then retry where there is one, then the end', (store) => {
    const { graceDays, retryDays } = storeRules[store];
    const owed = failing(store).end.latest;
    const standing = (days: number): string => livedUntil(failing(store), owed + days * dayMs).standing;
    expect(standing(-1)).toBe('running');
    expect(standing(0)).toBe('grace');
    expect(standing(graceDays - 1)).toBe('grace');
    expect(standing(graceDays)).toBe(retryDays > 0 ? 'retry' : 'ended');
    expect(standing(graceDays + retryDays)).toBe('ended');
    expect(amountsOf(livedUntil(failing(store), owed + 900 * dayMs))).toEqual(['9.99']);
  });

  it('keeps the rhythm if it is made up for in the grace period', () => {
    const life = acted(failing('app_store'), 'recover-billing', at(day(34)));
    expect(life).toMatchObject({ standing: 'running', start: plusMonths(begin, 1), end: plusMonths(begin, 2) });
    expect(amountsOf(livedUntil(life, day(62)))).toEqual(['9.99', '9.99', '9.99']);
  });

  it('begins a new month if it is made up for later', () => {
    const later = at(day(55));
    const life = acted(failing('app_store'), 'recover-billing', later);
    expect(life).toMatchObject({ standing: 'running', start: later, end: plusMonths(later, 1) });
  });
});

describe('what a customer does', () => {
  it('cancelled, it runs to its end and is not paid again', () => {
    const life = acted(paying(), 'cancel', at(day(10)));
    expect(life).toMatchObject({ standing: 'running', willRenew: false });
    expect(livedUntil(life, day(31))).toMatchObject({ standing: 'ended', reason: 'voluntarily_cancelled' });
    expect(amountsOf(livedUntil(life, day(300)))).toHaveLength(1);
  });

  it('cancelled and taken back, it is as if nothing had been', () => {
    const back = acted(acted(paying(), 'cancel', at(day(10))), 'uncancel', at(day(20)));
    expect(livedUntil(back, day(100))).toEqual(livedUntil(paying(), day(100)));
  });

  it('upgraded, it begins anew at once; downgraded, at the renewal', () => {
    const up = acted(paying(), 'upgrade', at(day(10)), family);
    expect(up).toMatchObject({ terms: family, start: at(day(10)), end: plusMonths(at(day(10)), 1) });
    const down = acted(paying('app_store', family), 'downgrade', at(day(10)), monthly);
    expect(down.terms).toEqual(family);
    expect(amountsOf(livedUntil(down, day(31)))).toEqual(['14.99', '9.99']);
    const longer = acted(paying(), 'downgrade', at(day(10)), yearly);
    expect(livedUntil(longer, day(31)).end).toEqual(plusMonths(begin, 13));
  });

  it('paused, it rests from its end on and resumes by itself', () => {
    const life = acted(paying('play_store'), 'pause', at(day(10)));
    expect(livedUntil(life, day(30)).standing).toBe('running');
    expect(livedUntil(life, day(31))).toMatchObject({ standing: 'paused', movements: [{ amount: '9.99' }] });
    const resumed = livedUntil(life, plusMonths(begin, 2).latest);
    expect(resumed).toMatchObject({ standing: 'running', start: plusMonths(begin, 2), pausesNext: false });
  });

  it('asked for more, it pays more from the renewal on, or ends with its period', () => {
    const raised: Terms = { product: 'monthly', price: '11.99' };
    const paysMore = acted(paying(), 'price-increase', at(day(10)), raised);
    expect(amountsOf(livedUntil(paysMore, day(31)))).toEqual(['9.99', '11.99']);
    const silent = livedUntil(acted(paying(), 'price-increase-unanswered', at(day(10)), raised), day(100));
    expect(silent).toMatchObject({ standing: 'ended', reason: 'price_increase', movements: [{ amount: '9.99' }] });
  });

  it('sold with another product, it costs what both do', () => {
    const both = paying('stripe', { ...monthly, extras: [family] });
    expect(amountsOf(livedUntil(both, day(31)))).toEqual(['24.98', '24.98']);
  });

  it('bought again, it begins anew, whenever that is', () => {
    const over = acted(paying(), 'cancel', at(day(10)));
    const again = acted(over, 'renew', at(day(50)));
    expect(again).toMatchObject({ standing: 'running', willRenew: true, reason: null, start: at(day(50)) });
    expect(amountsOf(livedUntil(again, plusMonths(at(day(50)), 1).latest))).toEqual(['9.99', '9.99', '9.99']);
    expect(acted(over, 'renew', at(day(20)))).toEqual(over);
  });

  it('disputed, the payment is gone once the bank says so, and the access stays', () => {
    const disputed = acted(paying('stripe'), 'dispute', at(day(20)));
    expect(amountsOf(disputed)).toEqual(['9.99']);
    expect(amountsOf(acted(disputed, 'win-dispute', at(day(25))))).toEqual(['9.99']);
    const lost = acted(disputed, 'lose-dispute', at(day(40)));
    expect(lost).toMatchObject({
      standing: 'running',
      movements: [{}, {}, { type: 'refund', amount: '-9.99', charge: 0 }],
    });
    expect(acted(lost, 'lose-dispute', at(day(41)))).toEqual(lost);
  });

  it('refunded, the last payment and the access are gone, and both come back together', () => {
    const refunded = acted(paying(), 'refund', at(day(40)));
    expect(refunded).toMatchObject({ standing: 'ended', reason: 'refund' });
    expect(amountsOf(refunded)).toEqual(['9.99', '9.99', '-9.99']);
    const reversed = acted(refunded, 'reverse-refund', at(day(45)));
    expect(reversed.standing).toBe('running');
    expect(amountsOf(reversed)).toEqual(['9.99', '9.99', '-9.99', '9.99']);
    expect(reversed.movements.map(({ charge }) => charge)).toEqual([0, 1, 1, 1]);
  });

  it('at the payment processor a refund takes the money alone', () => {
    expect(acted(paying('stripe'), 'refund', at(day(10)))).toMatchObject({ standing: 'running', willRenew: true });
  });
});

describe('whatever happens, in any order', () => {
  const histories = fc.record({
    store: fc.constantFrom(...stores),
    withTrial: fc.boolean(),
    acts: fc.array(fc.tuple(fc.constantFrom<Action>(...actions), fc.integer({ min: 1, max: 30 })), { maxLength: 12 }),
  });
  const told = ({ store, withTrial, acts }: { store: Store; withTrial: boolean; acts: [Action, number][] }): Life[] => {
    let now = 0;
    return acts.reduce(
      (lives, [action, wait]) => [...lives, acted(lives.at(-1)!, action, at(day((now += wait))), family)],
      [subscribed(store, monthly, withTrial, begin)],
    );
  };

  it('no charge is given back more than once, nor paid back beyond itself', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const life = told(history).at(-1)!;
        for (const { charge, amount } of chargesOf(life)) {
          const rest = restOf(life, charge);
          expect(isEqual(rest, zero) || rest.digits > 0n).toBe(true);
          expect(rest.digits <= BigInt(amount.replace('.', ''))).toBe(true);
        }
      }),
    );
  });

  it('history only grows, and time in small steps leads where one long step leads', () => {
    fc.assert(
      fc.property(histories, fc.integer({ min: 1, max: 400 }), (history, days) => {
        const lives = told(history);
        for (const [index, life] of lives.entries())
          expect(life.movements.slice(0, lives[index - 1]?.movements.length ?? 0)).toEqual(
            lives[index - 1]?.movements ?? [],
          );
        const [last, from] = [lives.at(-1)!, history.acts.reduce((sum, [, wait]) => sum + wait, 0)];
        let slowly = last;
        for (let passed = 0; passed <= days; passed++) slowly = livedUntil(slowly, day(from + passed));
        expect(slowly).toEqual(livedUntil(last, day(from + days)));
        const due = nextTurn(slowly);
        expect(due === null || due.latest > day(from + days)).toBe(true);
      }),
    );
  });
});
