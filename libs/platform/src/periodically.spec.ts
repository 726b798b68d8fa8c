import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { createLogger } from './logger.ts';
import { periodically } from './periodically.ts';

const lines: string[] = [];
const logger = createLogger({ service: 'test', level: 'info' }, { write: (line) => void lines.push(line) });

it('tells of turns that fail, once for many, and that they are done again', async () => {
  let turns = 0;
  const { promise: again, resolve } = Promise.withResolvers<void>();
  const stop = periodically(
    {
      name: 'work',
      pauseMs: 1,
      turn: async () => {
        if (++turns <= 5) throw new Error('the database is away');
        resolve();
        return false;
      },
    },
    logger,
  );
  await again;
  await stop();
  expect(lines).toEqual([
    expect.stringContaining('the database is away'),
    expect.stringContaining('The turns of periodic work are done again'),
  ]);
});

it('tells the turn in hand that it is to stop, awaits it, and begins no other though there is more', async () => {
  const told: AbortSignal[] = [];
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const stop = periodically({ name: 'work', pauseMs: 1, turn: (stopping) => (told.push(stopping), promise) }, logger);
  let isStopped = false;
  const stopping = stop().then(() => (isStopped = true));
  await turn();
  expect([isStopped, told.map(({ aborted }) => aborted)]).toEqual([false, [true]]);
  resolve(true);
  await stopping;
  expect(told).toHaveLength(1);
});

it('does not rest to the end where it is stopped', async () => {
  const stop = periodically({ name: 'work', pauseMs: 3_600_000, turn: async () => false }, logger);
  await turn();
  await stop();
});
