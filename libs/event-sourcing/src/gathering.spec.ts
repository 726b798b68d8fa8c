import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { gathering } from './gathering.ts';

it('sends what arrives during a call together in the next, a bounded number at a time', async () => {
  const calls: number[][] = [];
  const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const double = gathering(async (items: readonly number[]) => {
    calls.push([...items]);
    begun.resolve();
    await gate.promise;
    return items.map((item) => item * 2);
  }, 3);

  const first = double(1);
  await begun.promise;
  const others = [2, 3, 4, 5].map(double);
  await nextTurn();
  expect(calls).toEqual([[1]]);
  gate.resolve();

  expect(await Promise.all([first, ...others])).toEqual([2, 4, 6, 8, 10]);
  expect(calls).toEqual([[1], [2, 3, 4], [5]]);
});

it('sends a heavy item alone', async () => {
  const calls: number[][] = [];
  const record = gathering(
    async (items: readonly number[]) => (calls.push([...items]), items),
    10,
    (item) => item,
  );

  await Promise.all([4, 5, 2, 30, 10].map(record));

  expect(calls).toEqual([[4, 5], [2], [30], [10]]);
});

it('goes on after a call that failed', async () => {
  const run = gathering(async (items: readonly string[]) => {
    if (items.includes('bad')) throw new Error('no');
    return items;
  }, 10);

  await expect(run('bad')).rejects.toThrow('no');
  await expect(run('good')).resolves.toBe('good');
});
