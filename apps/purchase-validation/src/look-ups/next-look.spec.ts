import { describe, expect, it } from '@jest/globals';
import type { ObservedPurchase, Store, SubscriptionFact } from '@paywright/contracts';
import fc from 'fast-check';
import { observed, oneTime, standing, usd } from '../domain/testing/purchases.ts';
import { unsettledOf } from './look-up-subject.ts';
import { nextLook, nextLookAtUnsettled, nextTry } from './next-look.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const now = Date.UTC(2026, 10, 20, 12);
const look = (fact: Partial<SubscriptionFact>, store: Store = 'app_store') =>
  nextLook(observed({ store, subscription: standing(fact) }), now, 'fetched');

describe('the next look at a subscription', () => {
  it.each<[string, Partial<SubscriptionFact>, number | null]>([
    ['is shortly behind its end', { expiresAt: now + 30 * day }, now + 30 * day + 10 * minute],
    ['is behind its grace', { expiresAt: now - day, graceExpiresAt: now + 2 * day }, now + 2 * day + 10 * minute],
    ['is an hour away at least', { expiresAt: now + minute }, now + hour],
    ['is tomorrow, where its end passed without news', { expiresAt: now - day }, now + day],
    ['is tomorrow, where only the store can end it', { isOpenEnded: true }, now + day],
    ['is tomorrow, where it has no end', { expiresAt: null }, now + day],
    ['is never, once it ended', { status: 'expired' }, null],
    ['is never, once it was taken back', { status: 'revoked' }, null],
  ])('%s', (_, fact, expected) => expect(look(fact)).toBe(expected));

  it('is soon, once a notification says that it ended: it may be older than what is known', () =>
    expect(nextLook(observed({ subscription: standing({ status: 'expired' }) }), now, 'notified')).toBe(now + hour));

  it('is 32 days away at most on Play, which has no history of its news', () => {
    const yearly = { expiresAt: now + 364 * day };
    expect(look(yearly)).toBe(now + 364 * day + 10 * minute);
    expect(look(yearly, 'play_store')).toBe(now + 32 * day);
    expect(look({ expiresAt: now + 31 * day }, 'play_store')).toBe(now + 31 * day + 10 * minute);
  });

  it('is 32 days behind its end on Play, where it ended: the last payment may have been given back', () => {
    expect(look({ status: 'expired', expiresAt: now - day }, 'play_store')).toBe(now + 31 * day);
    expect(look({ status: 'expired', expiresAt: now - 32 * day }, 'play_store')).toBeNull();
    expect(look({ status: 'revoked', expiresAt: null }, 'play_store')).toBeNull();
    expect(look({ status: 'expired', expiresAt: now + 300 * day }, 'play_store')).toBe(now + 32 * day);
  });

  it.each<[string, Partial<SubscriptionFact>, Partial<SubscriptionFact>, number | null]>([
    ['is behind what ends first', { expiresAt: now + 30 * day }, { expiresAt: now + 7 * day }, 7 * day + 10 * minute],
    ['leaves out what is over', { expiresAt: now + 30 * day }, { status: 'expired' }, 30 * day + 10 * minute],
    ['is never, once all are over', { status: 'expired' }, { status: 'expired' }, null],
  ])('of several %s', (_, fact, addOn, expected) =>
    expect(nextLook(observed({ subscription: standing(fact), addOns: [standing(addOn)] }), now, 'fetched')).toBe(
      expected === null ? null : now + expected,
    ),
  );

  it.each<[string, Parameters<typeof oneTime>[2], Partial<ObservedPurchase>, number | null]>([
    ['is 32 days behind what is bought once on Play', { purchasedAt: now - day }, {}, now + 31 * day],
    ['is never, once that was', { purchasedAt: now - 32 * day }, {}, null],
    ['is never, where it cost nothing', { price: usd('0') }, {}, null],
    ['is never, where nobody told what it cost', { price: null }, {}, null],
    ['is never for a test purchase', {}, { environment: 'sandbox' }, null],
    ['is never for what is bought once elsewhere', {}, { store: 'stripe' }, null],
  ])('%s', (_, bought, said, expected) =>
    expect(
      nextLook(
        observed({ store: 'play_store', transactions: [oneTime('1', 'coins', bought)], ...said }),
        now,
        'fetched',
      ),
    ).toBe(expected),
  );
});

it('asks for an order that was not shown more and more seldom, and for three months at most', () => {
  const looks: number[] = [];
  const subject = { store: 'play_store', purchaseToken: 't', kind: null, orderId: 'GPA.1', unreadSince: now } as const;
  const order = unsettledOf(subject)!;
  for (let at = nextLookAtUnsettled(order, now); at !== null; at = nextLookAtUnsettled(order, at))
    looks.push((at - now) / hour);
  expect(looks).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048]);
});

const tried = (attempts: number) => nextTry(attempts, now, 'unavailable');

it('asks a silent store more and more seldom, at least every six hours', () =>
  fc.assert(
    fc.property(fc.nat({ max: 5_000 }), (attempts) => {
      expect(tried(attempts + 1)).toBeGreaterThanOrEqual(tried(attempts)!);
      expect(tried(attempts)).toBeGreaterThanOrEqual(now + 30_000);
      expect(tried(attempts)).toBeLessThanOrEqual(now + 6 * hour);
    }),
  ));

it('asks in the same rhythm for what a store does not know, and for two months', () => {
  let [attempts, at] = [0, now];
  for (let next: number | null = now; next !== null; next = nextTry(attempts++, at, 'not-found')) {
    if (attempts > 0) expect(next).toBe(nextTry(attempts - 1, at, 'unavailable'));
    at = next;
  }
  expect(Math.round((at - now) / day)).toBe(58);
});
