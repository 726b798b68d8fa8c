import { setTimeout as delay } from 'node:timers/promises';
import { appBundle } from '@paywright/deploy/build.ts';
import { queryOnce } from '@paywright/deploy/migrate/scratch-database.ts';
import { CoalescingProducer, toCloudEvent } from '@paywright/messaging';
import { Metrics } from '@paywright/platform';
import { startProduct } from '@paywright/testing';
import { pathToFileURL } from 'node:url';
import { startProcess } from '../peer-process.ts';
import { eventsPerUser, sessionOf } from '../replay/event-log.ts';
import { connect } from '../round-trip/bench-topics.ts';
import type { RowAlone } from '../row.ts';

const eventCount = 1_000_000;
const usersAtOnce = 500;
const withinMs = 10 * 60_000;

/** Publishes so many events as the write services would. */
async function publishEvents(brokers: string): Promise<void> {
  const kafka = connect(brokers);
  const producer = new CoalescingProducer({ kafka, metrics: new Metrics({ service: 'bench' }) });
  await producer.connect();
  for (let published = 0; published < eventCount; published += usersAtOnce * eventsPerUser) {
    const sessions = Array.from({ length: usersAtOnce }, () => sessionOf(Date.now())).flat();
    await producer.send(sessions.map(({ service, event }) => toCloudEvent(service, event, event.stream)));
  }
  await producer.close();
}

async function count(database: string, sql: string): Promise<number> {
  const [row] = await queryOnce(database, sql);
  return Number(row?.['count'] ?? 0);
}

/** Events that the read model is past, by the offsets in its own database. */
const projected = (database: string): Promise<number> =>
  count(
    database,
    `select coalesce(sum(next_offset), 0) as count from read_model.projection_offset where topic in ('profile.events', 'selection.events', 'impression.events')`,
  );

async function replay({ database, kafka }: { database: string; kafka: string }): Promise<number> {
  const env = { DATABASE_URL: database, KAFKA_BROKERS: kafka, MANAGEMENT_PORT: '0', LOG_LEVEL: 'warn' };
  const begun = performance.now();
  await using projection = new AsyncDisposableStack();
  projection.use(await startProcess(pathToFileURL(appBundle('projection')), env));
  while ((await projected(database)) < eventCount) {
    if (performance.now() - begun > withinMs)
      throw new Error(`the read model is ${eventCount - (await projected(database))} events behind`);
    await delay(50);
  }
  const seconds = (performance.now() - begun) / 1000;
  const events = await count(database, 'select count(*) from read_model.profile_event');
  if (events !== eventCount) throw new Error(`the read model holds ${events} of ${eventCount} events`);
  return seconds;
}

/** An empty read model and a million events: from the start of the projection's process until it has them all. */
export const replayRow: RowAlone = {
  name: 'replay',
  about: `projection of ${eventCount.toLocaleString('en')} events into an empty read model`,
  async measure(say) {
    await using product = await startProduct({ only: ['catalog'], env: { PAYWRIGHT_DEMO: '0' } });
    say('  publishing …');
    await publishEvents(product.runtime().kafka);
    say('  projecting …');
    const seconds = await replay(product.runtime());
    return [
      {
        row: 'projection',
        what: 'replay of 1 million events',
        value: seconds,
        unit: 's',
        better: 'lower',
        must: 45,
        aim: 15,
      },
    ];
  },
};
