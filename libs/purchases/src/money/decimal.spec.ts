import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decimalOfMicros, microsOf, numberOfCents, quotient, timesRate } from './decimal.ts';

describe('microsOf', () => {
  it.each([
    ['9.99', 9_990_000n],
    ['1500', 1_500_000_000n],
    ['-0.000001', -1n],
    ['0.0000005', 1n],
    ['0.0000004999', 0n],
    ['123456789012345678.9', 123_456_789_012_345_678_900_000n],
  ])('reads %s', (text, micros) => expect(microsOf(text)).toBe(micros));

  it.each(['', '1e3', '.5', '5.', '+1', ' 1', '1,5', 'NaN', '--1'])('refuses %j', (text) =>
    expect(() => microsOf(text)).toThrow(RangeError),
  );

  it('reads back what decimalOfMicros writes', () => {
    fc.assert(fc.property(fc.bigInt(), (micros) => expect(microsOf(decimalOfMicros(micros))).toBe(micros)));
  });
});

it('writes no zeros behind the last digit that counts', () => {
  expect([0n, 1n, -1n, 9_990_000n, -10_000_000n].map(decimalOfMicros)).toEqual([
    '0',
    '0.000001',
    '-0.000001',
    '9.99',
    '-10',
  ]);
});

it('rounds halves away from zero, so that opposites net to 0', () => {
  expect(timesRate(1n, '0.5')).toBe(1n);
  expect(timesRate(-1n, '0.5')).toBe(-1n);
  const rate = fc.tuple(fc.nat(1000), fc.nat(999_999_999_999)).map(([a, b]) => `${a}.${String(b).padStart(12, '0')}`);
  fc.assert(
    fc.property(fc.bigInt(), rate, (amount, by) => expect(timesRate(-amount, by)).toBe(-timesRate(amount, by))),
  );
});

it('divides to twelve decimals', () => {
  expect(quotient('1.15', '170.00')).toBe('0.006764705882');
  expect(quotient('2', '3')).toBe('0.666666666667');
  expect(quotient('1.15', '1')).toBe('1.15');
});

it('shows cents, rounded half up', () => {
  expect([9_990_000n, 10_147_059n, 5_000n, 4_999n, -9_990_000n].map(numberOfCents)).toEqual([
    9.99, 10.15, 0.01, 0, -9.99,
  ]);
});
