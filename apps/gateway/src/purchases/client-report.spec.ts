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

it('writes every number that is taken as the contract wants it, true to 12 decimals', () => {
  const taken = fc.double({ min: -1e18, max: 1e18, minExcluded: true, maxExcluded: true, noNaN: true });
  fc.assert(
    fc.property(taken, (value) => {
      const price = decimalOf(value);
      expect(ClientReport.safeParse({ price, currency: null, hasTrialPhase: null }).success).toBe(true);
      expect(Math.abs(Number(price) - value)).toBeLessThanOrEqual(5e-13);
    }),
  );
});
