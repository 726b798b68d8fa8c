import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from '@jest/globals';
import { evenParts, longest, rankOf } from './jest-test-sequencer.ts';

it('knows files that there are', () => {
  expect(longest.filter((file) => !existsSync(resolve(file)))).toEqual([]);
});

it('puts the longest before all others, wherever the project is', () => {
  const [first = '', second = ''] = longest;
  const paths = ['/a/tests/helm/helm.e2e.spec.ts', `/a/${second}`, `/a/${first}`];
  expect(paths.toSorted((a, b) => rankOf(a) - rankOf(b))).toEqual(paths.toReversed());
});

it('cuts a list into parts of about the same weight, whole and in order', () => {
  expect(evenParts([1, 1, 2, 3, 1], 2)).toEqual([0, 0, 0, 1, 1]);
  expect(evenParts([5, 1, 1, 1], 2)).toEqual([0, 1, 1, 1]);
  expect(evenParts([9, 1], 3)).toEqual([1, 2]);
  expect(evenParts([1, 1, 1], 1)).toEqual([0, 0, 0]);
});
