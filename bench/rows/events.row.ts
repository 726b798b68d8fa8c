import { setTimeout as delay } from 'node:timers/promises';
import { queryOnce } from '@paywright/deploy/migrate/scratch-database.ts';
import { searchRate } from '../load/search-rate.ts';
import type { Bench, Row } from '../row.ts';
import { eventBatches } from '../subject.ts';

const eventsPerRequest = 50;
const projectedWithinMs = 120_000;

/** Batches of this app's clients that the read model holds. */
async function projectedBatches({ stack, subject }: Bench): Promise<number> {
  const { appId } = await subject();
  const [row] = await queryOnce(
    stack.database,
    `select count(*)::int as count from read_model.profile_event where app_id = $1 and type = 'EventsReported'`,
    [appId],
  );
  return Number(row?.['count'] ?? 0);
}

/** Waits until the read model has them all. @returns how long that took */
async function untilProjected(bench: Bench, batches: number): Promise<number> {
  const begun = performance.now();
  for (;;) {
    const projected = await projectedBatches(bench);
    if (projected === batches) return performance.now() - begun;
    if (projected > batches) throw new Error(`${projected} batches were projected, ${batches} accepted`);
    if (performance.now() - begun > projectedWithinMs)
      throw new Error(`${batches - projected} batches were not projected`);
    await delay(20);
  }
}

/** Batches of 50 events; the rate counts from the first request to the last event in the read model. */
export const eventsRow: Row = {
  name: 'events',
  about: `POST /events with ${eventsPerRequest} events a request: accepted and projected`,
  async measure(bench) {
    const job = { ...eventBatches(bench.stack, await bench.subject(), eventsPerRequest), connections: 128 };
    bench.say(`/events, highest rate of requests of ${eventsPerRequest}:`);
    const search = { job, p99BelowMs: 1_000, startRate: 100, stepSeconds: Math.min(5, bench.seconds), say: bench.say };
    const top = await searchRate({ ...search, run: (each) => bench.generator.run(each) });
    if (top === null) throw new Error('/events keeps up with no rate that was tried');
    await delay(2_000);
    const before = await projectedBatches(bench);
    const begun = performance.now();
    const result = await bench.generator.run({ ...job, rate: top.rate, warmUpSeconds: 0, seconds: bench.seconds });
    const behindMs = await untilProjected(bench, before + result.answered);
    const seconds = (performance.now() - begun) / 1000;
    const about = { row: '/events', better: 'higher', unit: 'events/s' } as const;
    const detail = { ...result, projectedAfterMs: behindMs };
    return [
      { ...about, what: 'accepted', value: result.answeredPerSecond * eventsPerRequest, detail },
      {
        ...about,
        what: 'accepted and projected',
        value: (result.answered * eventsPerRequest) / seconds,
        must: 10_000,
        aim: 25_000,
        detail,
      },
    ];
  },
};
