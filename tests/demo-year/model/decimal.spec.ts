import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { add, decimal, isEqual, negated, quotient, rounded, sum, textOf, times, zero } from './decimal.ts';

const amounts = fc
  .tuple(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), fc.integer({ min: 0, max: 12 }))
  .map(([digits, scale]) => ({ digits, scale }));

describe('decimals', () => {
  it.each([
    ['9.99', '1.15', '11.4885'],
    ['7.99', '1.321839080460', '10.561494'],
    ['1500', '0.006764705882', '10.147059'],
    ['59.90', '0.185483870968', '11.110484'],
    ['-9.99', '1.15', '-11.4885'],
  ])('values %s at %s', (amount, rate, usd) => {
    expect(textOf(rounded(times(decimal(amount), decimal(rate)), 6))).toBe(usd);
  });

  it('rounds half a cent away from zero, so that a refund nets to 0', () => {
    expect(textOf(rounded(decimal('10.145'), 2))).toBe('10.15');
    expect(textOf(rounded(decimal('-10.145'), 2))).toBe('-10.15');
    fc.assert(
      fc.property(amounts, fc.integer({ min: 0, max: 6 }), (amount, scale) =>
        isEqual(add(rounded(amount, scale), rounded(negated(amount), scale)), zero),
      ),
    );
  });

  it('reads what it writes', () => {
    fc.assert(fc.property(amounts, (amount) => isEqual(decimal(textOf(amount)), amount)));
  });

  it('adds without a rest, in any order', () => {
    fc.assert(fc.property(fc.array(amounts), (all) => isEqual(sum(all), sum(all.toReversed()))));
    expect(textOf(sum(Array.from({ length: 10 }, () => decimal('0.1'))))).toBe('1');
  });

  it('divides to the nearest', () => {
    expect(textOf(quotient(decimal('1.1500'), decimal('0.8700'), 12))).toBe('1.32183908046');
    expect(textOf(quotient(decimal('-2'), decimal('3'), 3))).toBe('-0.667');
  });

  it.each(['', '1e3', '1.', '.5', 'NaN', '1,5', '--1'])('takes %p for no number', (text) => {
    expect(() => decimal(text)).toThrow(RangeError);
  });
});
