import { expect, it } from '@jest/globals';
import type { ObservePurchase, RefundFact } from '@paywright/contracts';
import { bought, day, lived, now, observe, observed, refunded, usd } from './testing/purchases.ts';

const at = now + day;
const part = (amount: string, number?: number): RefundFact =>
  refunded('GPA.1', at, { refundId: `GPA.1:${at}${number ? `:${number}` : ''}`, amount: usd(amount) });
const told = (...refunds: readonly RefundFact[]) =>
  observe(observed({ store: 'play_store', observedAt: at, transactions: [bought('GPA.1')], refunds: [...refunds] }));

/** What the ledger gives back, after the words of the store one after another. */
const givenBack = (...words: readonly ObservePurchase[]) =>
  lived(...words).chain.movements.flatMap(({ type, amount }) => (type === 'charge' ? [] : [amount]));

it('are booked once each, whatever an earlier version called the first that arrived of one moment', () => {
  const [pending, both] = [told(part('5', 1)), told(part('1'), part('5', 1))];
  const before = told(part('5')); // of the two, as long as the other had not arrived
  expect(givenBack(before, pending, both, both)).toEqual(['-5', '-1']);
  expect(givenBack(before, both, pending, both)).toEqual(['-5', '-1']);
  expect(givenBack(pending, both, both)).toEqual(['-5', '-1']);
  expect(givenBack(both, pending)).toEqual(['-1', '-5']);
});

it('are as many as the store tells of, also where they are alike', () => {
  const [one, two] = [told(part('2')), told(part('2'), part('2', 1))];
  expect(givenBack(one, two, two)).toEqual(['-2', '-2']);
  expect(givenBack(two)).toEqual(['-2', '-2']);
});
