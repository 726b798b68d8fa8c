import { describe, expect, it } from '@jest/globals';
import type { TransactionFact } from '@paywright/contracts';
import fc from 'fast-check';
import { mergeTransaction } from './merge-transaction.ts';
import { bought, usd } from './testing/purchases.ts';

const price = fc.tuple(fc.constantFrom('9.99', '4.99', '0', '12.5'), fc.constantFrom('USD', 'EUR'));
const seen: fc.Arbitrary<TransactionFact> = fc
  .record({
    price: fc.option(price.map(([amount, currency]) => ({ amount, currency }))),
    isEstimate: fc.boolean(),
    isUpgraded: fc.boolean(),
    isFamilyShared: fc.boolean(),
    expiresAt: fc.option(fc.nat(3)),
    purchasedAt: fc.nat(3),
    startsAt: fc.nat(3),
    buysPeriod: fc.constantFrom(false, undefined),
    isInArrears: fc.constantFrom(true, undefined),
    isFree: fc.constantFrom(true, undefined),
  })
  // What a store keeps is one thing: it follows from what was paid, and can be not known yet.
  .chain((known) =>
    fc.boolean().map((isShareKnown) => {
      const { price: paid, isEstimate } = known;
      const storeShare = paid && !isEstimate && isShareKnown ? { ...paid, amount: `${paid.amount}1` } : undefined;
      return bought('1', { ...known, storeShare });
    }),
  );

describe('what is known of a transaction', () => {
  it('does not depend on the order, the grouping or the doubling of what was seen', () => {
    const view = ({ price: money, isEstimate, storeShare, ...fact }: TransactionFact) =>
      money === null ? fact : { money, isEstimate, storeShare, ...fact };
    fc.assert(
      fc.property(seen, seen, seen, (a, b, c) => {
        expect(view(mergeTransaction(a, b))).toEqual(view(mergeTransaction(b, a)));
        expect(view(mergeTransaction(mergeTransaction(a, b), c))).toEqual(
          view(mergeTransaction(a, mergeTransaction(b, c))),
        );
        expect(view(mergeTransaction(a, a))).toEqual(view(a));
      }),
      { numRuns: 300 },
    );
  });

  it.each<[string, Partial<TransactionFact>, Partial<TransactionFact>, string]>([
    ['a payment over an estimate', { price: usd('9'), isEstimate: true }, { price: usd('5') }, '5'],
    ['an estimate over nothing', { price: null }, { price: usd('9'), isEstimate: true }, '9'],
    ['the greater payment', { price: usd('5') }, { price: usd('9') }, '9'],
    ['the lesser estimate', { price: usd('9'), isEstimate: true }, { price: usd('5'), isEstimate: true }, '5'],
  ])('is of prices %s', (_, a, b, amount) =>
    expect(mergeTransaction(bought('1', a), bought('1', b)).price).toEqual(usd(amount)),
  );

  it('keeps all that it is known to have paid for, by product', () => {
    const part = (productId: string) =>
      ({ ...{ productId, basePlanId: null, offerId: null }, phase: 'regular', startsAt: 0, expiresAt: null }) as const;
    const [plain, one, two] = [[], [part('b')], [part('a'), part('c')]].map((addOns) => bought('1', { addOns }));
    expect(mergeTransaction(mergeTransaction(plain!, one!), two!).addOns).toEqual(['a', 'b', 'c'].map(part));
    expect(mergeTransaction(mergeTransaction(two!, plain!), one!).addOns).toEqual(['a', 'b', 'c'].map(part));
    expect(mergeTransaction(bought('1'), bought('1'))).toEqual(bought('1'));
    const behind = { ...part('b'), isInArrears: true, isFree: true };
    for (const seen of [one!, bought('1', { addOns: [behind] })])
      expect(mergeTransaction(seen, bought('1', { addOns: [behind] })).addOns).toEqual([behind]);
    const [ofB, ofMonthly] = [bought('1', { productId: 'b' }), bought('1', { addOns: [part('b')] })];
    expect(mergeTransaction(ofB, ofMonthly)).toMatchObject({ productId: 'b', addOns: [{ productId: 'pro.monthly' }] });
  });

  it('is of times those told with what was paid, and else the earlier ones', () => {
    const [early, late] = [1, 2].map((time) => ({ purchasedAt: time, startsAt: time }));
    const timesOf = (a: Partial<TransactionFact>, b: Partial<TransactionFact>) =>
      mergeTransaction(bought('1', a), bought('1', b));
    expect(timesOf({ ...early, isEstimate: true }, { ...late })).toMatchObject(late!);
    expect(timesOf({ ...late, price: null }, { ...early })).toMatchObject(early!);
    expect(timesOf({ ...late, price: null }, { ...early, price: null })).toMatchObject(early!);
  });

  it('buys its period once it is paid in full', () => {
    const [part, whole] = [bought('1', { buysPeriod: false }), bought('1')];
    expect(mergeTransaction(part, part)).toEqual(part);
    for (const [a, b] of [[part, whole] as const, [whole, part] as const])
      expect(mergeTransaction(a, b)).toEqual(whole);
  });

  it('stays upgraded and extended, and keeps its offer and what it renews', () => {
    const offer = { kind: 'promotional', type: null } as const;
    const first = bought('1', {
      isUpgraded: true,
      expiresAt: 9,
      offer,
      originallyPurchasedAt: 4,
      isInArrears: true,
      isFree: true,
    });
    expect(mergeTransaction(first, bought('1', { expiresAt: 5 }))).toEqual(first);
    expect(mergeTransaction(bought('1', { expiresAt: 5 }), first)).toEqual(first);
  });
});
