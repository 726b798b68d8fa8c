import { expect, it } from '@jest/globals';
import { percentile } from './percentile.ts';

it('is the value that so many are not above', () => {
  const values = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect([percentile(values, 0.99), percentile(values, 1), percentile(values, 0)]).toEqual([99, 100, 1]);
  expect([percentile([7], 0.99), percentile([], 0.99)]).toEqual([7, null]);
});
