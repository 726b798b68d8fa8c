import { createScratchDatabase } from '@paywright/deploy/migrate/scratch-database.ts';
import { migrate } from '@paywright/deploy/migrate/migrate.ts';
import type { AppendResult, AppendWorkload } from '../append/workload.ts';
import { installPeers, peerFile, startProcess } from '../peer-process.ts';
import type { Row } from '../row.ts';

const ours = new URL('../append/paywright-append.ts', import.meta.url);
const theirs = peerFile('emmett.mjs');
// Streams are a multiple of what is in flight, so that each keeps to one lane.
const shape = { streams: 1_200, inFlight: 600 };
const runs = 3;

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? NaN;

/** Appends with expected versions, one event each, to the same server: by our processor and by emmett, A B A B. */
export const appendRow: Row = {
  name: 'append',
  about: 'events appended a second, one an append, beside @event-driven-io/emmett-postgresql',
  async measure({ stack, say }) {
    installPeers(say);
    const rates: { ours: number[]; emmett: number[] } = { ours: [], emmett: [] };
    for (let run = 0; run < runs; run++) {
      rates.ours.push(await append(stack.database, ours, { ...shape, commands: 60_000, perBatch: 50 }));
      rates.emmett.push(await append(stack.database, theirs, { ...shape, inFlight: 60, commands: 6_000, perBatch: 1 }));
      say(`  ours ${Math.round(rates.ours.at(-1) ?? NaN)}/s, emmett ${Math.round(rates.emmett.at(-1) ?? NaN)}/s`);
    }
    const [own, peer] = [median(rates.ours), median(rates.emmett)];
    return [
      { row: 'append', what: 'ours', value: own, unit: 'events/s', better: 'higher', detail: { rates } },
      { row: 'append', what: 'emmett-postgresql', value: peer, unit: 'events/s', better: 'higher' },
      { row: 'append', what: 'ours against emmett', value: own / peer, unit: 'x', better: 'higher', must: 5, aim: 20 },
    ];
  },
};

async function append(server: string, program: URL, workload: Omit<AppendWorkload, 'databaseUrl'>): Promise<number> {
  await using database = await createScratchDatabase(server);
  if (program === ours) await migrate(database.url, [{ name: 'profile', model: 'event-store' }]);
  await using done = await startProcess<AppendResult>(program, {}, [
    JSON.stringify({ ...workload, databaseUrl: database.url }),
  ]);
  return done.said.eventsPerSecond;
}
