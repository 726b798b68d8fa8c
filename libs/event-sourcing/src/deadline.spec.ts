import { expect, it } from '@jest/globals';
import { isExpired } from './deadline.ts';

it.each([
  ['in time', -1, false],
  ['late within the clocks’ difference', 1_000, false],
  ['late', 1_001, true],
  ['late as late can be believed', 60_000, true],
  ['so late that the clocks must differ', 60_001, false],
])('%s', (_, lateMs, expired) => {
  expect(isExpired(1_000_000, 1_000_000 + lateMs)).toBe(expired);
});
