import { expect, it } from '@jest/globals';
import { memoryBounded, mostMemory } from './memory-bounded.ts';

it('tells of who holds more than the bound', () => {
  expect(memoryBounded(new Map([['gateway', mostMemory]]))).toEqual([]);
  expect(
    memoryBounded(
      new Map([
        ['gateway', 0],
        ['profile', mostMemory + 2 ** 20],
      ]),
    ),
  ).toMatchObject([{ invariant: 'I12', sentence: 'profile held 769 MiB' }]);
});
