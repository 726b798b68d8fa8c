import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { amountOfMicros, microsOf, milliunits, minorUnits, ofMinorUnits, shareOf } from './amounts.ts';

it('keeps every amount exactly', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }),
      (micros) => microsOf(amountOfMicros(micros)) === micros,
    ),
  );
  expect([microsOf('9.99'), amountOfMicros(9_990_000n), amountOfMicros(-500_000n), amountOfMicros(0n)]).toEqual([
    ...[9_990_000n, '9.99', '-0.5', '0'],
  ]);
});

it('speaks the stores’ units', () => {
  expect([minorUnits('9.99', 'USD'), minorUnits('1500', 'JPY'), minorUnits('1.5', 'KWD')]).toEqual([999, 1500, 1500]);
  expect([ofMinorUnits(999, 'USD'), ofMinorUnits(1500, 'JPY'), milliunits('9.99')]).toEqual(['9.99', '1500', 9990]);
});

it('rounds a share half up', () => expect([shareOf('9.99', 50, 2), shareOf('1505', 50, 0)]).toEqual(['5', '753']));
