import { randomUUID } from 'node:crypto';
import { defineEvent, type Command, type EventOf } from '@paywright/contracts';
import { createCommandProcessor, createPool, PostgresEventStore, type Decider } from '@paywright/event-sourcing';
import { SystemClock } from '@paywright/platform';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import type { AppendWorkload } from './workload.ts';

const body = z.object({ paywallId: z.int(), placementId: z.string(), note: z.string() });
const Shown = defineEvent('Shown', 1, 'A paywall was shown.', body);
type Show = Command<'Show', z.output<typeof body>>;
type Shown = EventOf<typeof Shown>;

const decider: Decider<Show, number, Shown> = {
  initialState: 0,
  evolve: (count) => count + 1,
  decide: { Show: (command) => ({ events: [Shown.of(command.body)], reply: {} }) },
};

/** The command processor of every write service, as a partition hands it batches: inbox, versions, one statement. */
async function run({ databaseUrl, commands, streams, inFlight, perBatch }: AppendWorkload): Promise<number> {
  const pool = createPool({ databaseUrl, schema: 'profile', max: 10 });
  const clock = new SystemClock();
  const process = createCommandProcessor({
    decider,
    store: new PostgresEventStore(pool),
    cachedStreams: streams,
  });
  const keys = Array.from({ length: streams }, () => randomUUID());
  const commandAt = (index: number): Show => ({
    ...{ id: uuidv7(), type: 'Show', version: 1, appId: 1, key: keys[index % streams]! },
    issuedAt: clock.now(),
    deadline: clock.now() + 60_000,
    body: { paywallId: index % 7, placementId: 'onboarding', note: 'x'.repeat(200) },
  });
  const lanes = Math.max(1, Math.floor(inFlight / perBatch));
  const begun = performance.now();
  // As keys lie in partitions: a stream has its lane.
  const lane = async (number: number): Promise<void> => {
    for (let index = number * perBatch; index < commands; index += lanes * perBatch) {
      const outcomes = await process(
        Array.from({ length: Math.min(perBatch, commands - index) }, (_, at) => commandAt(index + at)),
      );
      if (outcomes.some(({ kind }) => kind !== 'accepted')) throw new Error('a command was not accepted');
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, number) => lane(number)));
  const seconds = (performance.now() - begun) / 1000;
  await pool.end();
  return commands / seconds;
}

const workload: AppendWorkload = JSON.parse(process.argv[2] ?? '');
process.send?.({ eventsPerSecond: await run(workload) });
process.disconnect();
