import { describe, expect, it } from '@jest/globals';
import { Decimal } from '@paywright/contracts';
import fc from 'fast-check';
import { amountOf, shareOf } from './milliunits.ts';

const price = fc.integer({ min: 0, max: 1e15 });

/** Decimal text as an integer of 10^-8. */
const exactly = (text: string) => {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(8, '0'));
};

describe('amountOf', () => {
  it.each([
    [9990, '9.99'],
    [1_500_000, '1500'],
    [59_900, '59.9'],
    [5, '0.005'],
    [0, '0'],
  ])('%i thousandths are %s', (thousandths, amount) => expect(amountOf(thousandths)).toBe(amount));

  it('loses nothing of any price', () => {
    fc.assert(
      fc.property(price, (thousandths) => {
        const amount = amountOf(thousandths);
        expect(Decimal.parse(amount)).toBe(amount);
        expect(exactly(amount)).toBe(BigInt(thousandths) * 100_000n);
      }),
    );
  });
});

describe('shareOf', () => {
  it('is half of a price at 50000', () => expect(shareOf(9990, 50_000)).toBe('4.995'));

  it('is the price at 100000, and shares add up to it', () => {
    fc.assert(
      fc.property(price, fc.integer({ min: 0, max: 100_000 }), (thousandths, share) => {
        expect(shareOf(thousandths, 100_000)).toBe(amountOf(thousandths));
        const parts = [share, 100_000 - share].map((part) => exactly(shareOf(thousandths, part)));
        expect(parts.reduce((sum, part) => sum + part)).toBe(exactly(amountOf(thousandths)));
        expect(Decimal.safeParse(shareOf(thousandths, share)).success).toBe(true);
      }),
    );
  });
});
