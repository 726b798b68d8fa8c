import { expect, it } from '@jest/globals';
import { EndedEarly } from '@paywright/deploy/local/service.ts';
import type { Arena } from '../arena/arena.ts';
import { crashAtAPoint } from './crash-at-a-point.ts';

/** A stack whose service does not become ready with a point to die at. */
function dyingOf(error: Error) {
  const started: string[] = [];
  const stack = {
    restartService: () => Promise.reject(error),
    startService: (service: string) => Promise.resolve(void started.push(service)),
  };
  const arena = { stack } as unknown as Arena;
  const strike = { nemesis: 'crash-at-a-point', target: 'profile:after_append', atMs: 0, lastsMs: 0 };
  return { started, struck: crashAtAPoint.strike(arena, strike) };
}

it('starts a service again that what waited for it brought to the point before it was ready', async () => {
  const { started, struck } = dyingOf(new EndedEarly('dead', 'SIGKILL'));
  await struck;
  expect(started).toEqual(['profile']);
});

it.each([new EndedEarly('a defect', null), new Error('not ready in time')])(
  'tells of a service that %s',
  async (error) => {
    const { started, struck } = dyingOf(error);
    await expect(struck).rejects.toBe(error);
    expect(started).toEqual([]);
  },
);
