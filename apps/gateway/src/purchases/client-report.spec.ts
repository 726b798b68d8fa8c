import { expect, it } from '@jest/globals';
import { ClientReport } from '@paywright/contracts';
import fc from 'fast-check';
import { decimalOf } from './client-report.ts';

it.each([
  [9.99, '9.99'],
  [0, '0'],
  [-0, '0'],
  [-1.5, '-1.5'],
  [1e17, '100000000000000000'],
  [1_234_567_890.99, '1234567890.99'],
  [0.1 + 0.2, '0.3'],
  [1.5e-7, '0.00000015'],
  [1e-300, '0'],
])('writes %d as %s', (value, text) => expect(decimalOf(value)).toBe(text));

/** Exact but for what is past 100 decimals. */
const inGoogolths = (decimal: string): bigint => {
  const [whole = '', decimals = ''] = decimal.split('.');
  return BigInt(whole + decimals.padEnd(100, '0'));
};

const taken = fc.double({ min: -1e18, max: 1e18, minExcluded: true, maxExcluded: true, noNaN: true });
const ofPrices = fc.double({ min: -1e6, max: 1e6, noNaN: true });

it.each([
  ['number that is taken', taken],
  ['number of a price’s size', ofPrices],
])(
  'writes every %s as the contract wants it, so that it reads back the same or is true to 12 decimals',
  (_, values) => {
    fc.assert(
      fc.property(values, (value) => {
        const price = decimalOf(value);
        expect(ClientReport.safeParse({ price, currency: null, hasTrialPhase: null }).success).toBe(true);
        const off = inGoogolths(price) - inGoogolths(value.toFixed(100));
        // Numbers beside 4,618 are 9e-13 apart: read back, the 12 decimals may be the next one.
        expect(Number(price) === value || (off < 0n ? -off : off) <= 5n * 10n ** 87n).toBe(true);
      }),
      { examples: [[4618.3341716282885]] },
    );
  },
);
