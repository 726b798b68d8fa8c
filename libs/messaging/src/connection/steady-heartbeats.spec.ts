import { mock } from 'node:test';
import { afterEach, expect, it } from '@jest/globals';
import ConsumerGroup from 'kafkajs/src/consumer/consumerGroup.js';
import { beatWhateverTheClock } from './steady-heartbeats.ts';

const hour = 3_600_000;
const interval = 500;

afterEach(() => mock.restoreAll());

/** A group's member, and how many heartbeats it sent. */
function member() {
  let beats = 0;
  const coordinator = { heartbeat: async () => void beats++ };
  const parts = { logger: { namespace: () => ({}) }, instrumentationEmitter: { emit: () => undefined } };
  const group = Object.assign(new ConsumerGroup({ ...parts, retry: {} }), { coordinator, memberId: 'm' });
  return { beat: () => group.heartbeat({ interval }), beats: () => beats };
}

it('goes on sending heartbeats at their interval behind a clock that is set back', async () => {
  beatWhateverTheClock();
  let now = Date.UTC(2026, 0, 1);
  mock.method(Date, 'now', () => now);
  const { beat, beats } = member();
  const beatAt = async (time: number) => {
    now = time;
    await beat();
    return beats();
  };
  const start = now;
  expect([await beatAt(start + interval - 1), await beatAt(start + interval)]).toEqual([0, 1]);
  const back = now - hour;
  const times = [back, back + interval - 1, back + interval, back + 2 * interval];
  const seen = [];
  for (const time of times) seen.push(await beatAt(time));
  expect(seen).toEqual([1, 1, 2, 3]);
});
