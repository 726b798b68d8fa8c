import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { createLogger } from '@paywright/platform';
import { forgetOldCommands } from './forget-old-commands.ts';

const week = 7 * 24 * 60 * 60 * 1000;

it('begins at once, goes on until nothing is left, and then rests', async () => {
  const steps = [10_000, 10_000, 3, 0, 7];
  const asked: number[] = [];
  const store = {
    forgetCommandsOlderThan: async (ms: number) => {
      asked.push(ms);
      return steps.shift() ?? 0;
    },
  };
  const stop = forgetOldCommands(store, createLogger({ service: 'test', level: 'error' }));
  for (let turns = 0; turns < 20; turns++) await turn();
  expect(asked).toEqual([week, week, week, week]);
  await stop();
  expect(steps).toEqual([7]);
});
