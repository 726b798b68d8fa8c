import { describe, expect, it } from '@jest/globals';
import { Money } from '@paywright/contracts';
import fc from 'fast-check';
import { stripeMoney } from './stripe-money.ts';

describe('stripeMoney', () => {
  it.each([
    [999, 'usd', '9.99'],
    [1500, 'jpy', '1500'],
    [5124, 'kwd', '5.124'],
    [500, 'ugx', '5'],
    [500, 'isk', '5'],
    [1045, 'huf', '10.45'],
    [1, 'eur', '0.01'],
    [0, 'eur', '0'],
    [-250, 'gbp', '-2.5'],
    [Number.MAX_SAFE_INTEGER, 'usd', '90071992547409.91'],
  ])('reads %d %s as %s', (amount, currency, text) => {
    expect(stripeMoney(amount, currency)).toEqual({ amount: text, currency: currency.toUpperCase() });
  });

  it.each([
    [0, 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'],
    [3, 'BHD JOD KWD OMR TND'],
    [2, 'USD EUR GBP AED INR ISK UGX HUF TWD'],
  ])('has %d decimals in each of %s, and loses nothing', (scale, currencies) => {
    fc.assert(
      fc.property(fc.constantFrom(...currencies.split(' ')), fc.maxSafeInteger(), (currency, amount) => {
        const money = stripeMoney(amount, currency);
        const [whole = '', fraction = ''] = money.amount.split('.');
        expect(BigInt(whole + fraction.padEnd(scale, '0'))).toBe(BigInt(amount));
        expect(fraction.length).toBeLessThanOrEqual(scale);
        expect(Money.parse(money)).toEqual(money);
      }),
    );
  });
});
