import { expect, it } from '@jest/globals';
import { EraseProfile, refuse, type Reply } from '@paywright/contracts';
import type { CommandClient } from '@paywright/messaging';
import { ManualClock, Metrics, noTracer } from '@paywright/platform';
import { AwaitedWrites } from './awaited-writes.ts';

const clock = new ManualClock(1_000);
const command = { id: 'c', appId: 1, key: 'k', body: { actor: 'ops' }, deadlineMs: 500 };
const accepted = { status: 'accepted' as const, streamVersion: 7, body: { erasedAt: 3 } };

const writesAnswered = (reply: Reply) => {
  const metrics = new Metrics();
  const commands = { send: () => Promise.resolve(reply) } as unknown as CommandClient;
  return { writes: new AwaitedWrites(commands, clock, noTracer, metrics), metrics };
};

it('answers once it is shown, by the deadline of the command', async () => {
  const { writes, metrics } = writesAnswered(accepted);
  const asked: unknown[] = [];
  const shown = (...question: unknown[]) => Promise.resolve(asked.push(question) > 0);
  expect(await writes.send(EraseProfile, command, shown)).toEqual({ erasedAt: 3 });
  expect(asked).toEqual([[accepted, 1_500]]);
  expect(await metrics.text()).toContain('gateway_read_your_writes_seconds_count{reached="true"} 1');
});

it('asks to be repeated what is not shown in time, and measures that too', async () => {
  const { writes, metrics } = writesAnswered(accepted);
  const answer = writes.send(EraseProfile, command, () => Promise.resolve(false));
  await expect(answer).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(await metrics.text()).toContain('gateway_read_your_writes_seconds_count{reached="false"} 1');
});

it('waits for nothing of what was refused', async () => {
  const { writes, metrics } = writesAnswered({ status: 'refused', refusal: refuse('PROFILE_NOT_FOUND', 'No.') });
  const shown = () => Promise.reject(new Error('nobody asks'));
  await expect(writes.send(EraseProfile, command, shown)).rejects.toMatchObject({ code: 'PROFILE_NOT_FOUND' });
  expect(await metrics.text()).not.toContain('gateway_read_your_writes_seconds_count{');
});
