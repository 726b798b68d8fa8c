import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from '@jest/globals';
import { longest, rankOf } from './jest-test-sequencer.ts';

it('knows files that there are', () => {
  expect(longest.filter((file) => !existsSync(resolve(file)))).toEqual([]);
});

it('puts the longest before all others, wherever the project is', () => {
  const [first = '', second = ''] = longest;
  const paths = ['/a/tests/tls/tls.e2e.spec.ts', `/a/${second}`, `/a/${first}`];
  expect(paths.toSorted((a, b) => rankOf(a) - rankOf(b))).toEqual(paths.toReversed());
});
