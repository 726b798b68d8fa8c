import { describe, expect, it } from '@jest/globals';
import { Money } from '@paywright/contracts';
import fc from 'fast-check';
import { PlayMoney, playMoney } from './play-money.ts';

/** Decimal text in billionths. */
const billionths = (amount: string) => {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount) ?? [];
  return BigInt(sign + whole + fraction.padEnd(9, '0'));
};

describe('playMoney', () => {
  it.each([
    [{ units: '9', nanos: 990_000_000 }, '9.99'],
    [{ units: '1500' }, '1500'],
    [{ nanos: 990_000_000 }, '0.99'],
    [{}, '0'],
    [{ units: '0', nanos: 1 }, '0.000000001'],
    [{ units: '-1', nanos: -750_000_000 }, '-1.75'],
    [{ units: '999999999999999999', nanos: 999_999_999 }, '999999999999999999.999999999'],
  ])('reads %j as %s', (money, amount) => {
    expect(playMoney(PlayMoney.parse({ currencyCode: 'USD', ...money }))).toEqual({ amount, currency: 'USD' });
  });

  it('loses no billionth, and is an amount of the contract', () => {
    const units = fc.bigInt(0n, 10n ** 18n - 1n);
    fc.assert(
      fc.property(units, fc.integer({ min: 0, max: 999_999_999 }), fc.boolean(), (whole, nanos, isNegative) => {
        const sign = isNegative ? -1n : 1n;
        const money = playMoney({ currencyCode: 'EUR', units: (sign * whole).toString(), nanos: Number(sign) * nanos });
        expect(billionths(money.amount)).toBe(sign * (whole * 10n ** 9n + BigInt(nanos)));
        expect(Money.parse(money)).toEqual(money);
      }),
    );
  });

  it.each([
    { currencyCode: 'USD', units: 9 },
    { currencyCode: 'USD', units: '9.99' },
    { currencyCode: 'USD', units: '9e3' },
    { currencyCode: 'USD', units: '' },
    { currencyCode: 'USD', nanos: 1_000_000_000 },
    { currencyCode: 'USD', nanos: 0.5 },
    { currencyCode: 'dollars', units: '9' },
    { units: '9' },
  ])('takes %j for no money', (money) => {
    expect(PlayMoney.safeParse(money).success).toBe(false);
  });
});
