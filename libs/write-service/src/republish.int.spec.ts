import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { RecordedEvent } from '@paywright/contracts';
import { EventLog, PostgresEventStore } from '@paywright/event-sourcing';
import { type EventStoreDatabase, eventStoreDatabase } from '@paywright/event-sourcing/testing';
import { CoalescingProducer, readTopic, type OutgoingMessage, type ReceivedMessage } from '@paywright/messaging';
import { Metrics } from '@paywright/platform';
import { testTopics, type TestTopics } from '@paywright/testing';
import { republish } from './republish.ts';

const mebibyte = 1024 * 1024;

let database: EventStoreDatabase;
let topics: TestTopics<'events'>;
beforeAll(async () => {
  database = await eventStoreDatabase();
  topics = await testTopics({ events: 4 }, { 'max.message.bytes': String(2 * mebibyte) });
}, 30_000);
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await topics[Symbol.asyncDispose]();
});

/** Streams in turn, of which each hundredth event has a megabyte, and the clock goes back now and then. */
const stored: readonly RecordedEvent[] = Array.from({ length: 3_500 }, (_, index) => ({
  ...{ id: randomUUID(), stream: `stream ${index % 13}`, streamVersion: Math.floor(index / 13) + 1 },
  ...{ time: 1_000_000 + index * 1_000 - (index % 10 === 7 ? 60_000 : 0), type: 'Counted', version: 1 },
  ...{ correlationId: 'request', causationId: randomUUID() },
  body: { index, text: (index % 100 === 50 ? 'ö' : 'x').repeat(index % 100 === 50 ? mebibyte / 2 : index % 2_000) },
}));

const republishTo = (publish: (messages: readonly OutgoingMessage[]) => Promise<void>, pageBytes?: number) =>
  republish({
    service: 'impression',
    log: new EventLog(database.anotherPool({ patienceMs: null }), pageBytes),
    decider: { initialState: null, evolve: () => null },
    upcast: (event) => event,
    publish,
  });

it('publishes each event once, in the order of its key, short ones and such of a megabyte', async () => {
  const store = new PostgresEventStore(database.pool);
  for (let from = 0; from < stored.length; from += 100)
    await store.append({ inbox: [], events: stored.slice(from, from + 100), snapshots: [], personal: [] });
  const topic = topics.nameOf('events');
  const producer = new CoalescingProducer({ kafka: topics.connection, metrics: new Metrics() });
  await producer.connect();

  const count = await republishTo((messages) => producer.send(messages.map((one) => ({ ...one, topic }))), mebibyte);

  expect(count).toEqual({ events: stored.length, personal: 0, extra: 0 });
  await producer.close();
  const records: ReceivedMessage[] = [];
  await readTopic(topics.connection, topic, (record) => void records.push(record));
  expect(records).toHaveLength(stored.length);
  const byStream = Map.groupBy(records, ({ key }) => key);
  for (const [stream, events] of Map.groupBy(stored, ({ stream: name }) => name)) {
    const published = byStream.get(stream) ?? [];
    expect(new Set(published.map(({ partition }) => partition)).size).toBe(1);
    expect(published.map(({ headers }) => headers['ce_id'])).toEqual(events.map(({ id }) => id));
    expect(published.map(({ value }) => JSON.parse(String(value)) as unknown)).toEqual(events.map(({ body }) => body));
  }
}, 60_000);

it('fails where the database leaves it in the middle, whatever was published', async () => {
  const endReader = `
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and state = 'active' and pid <> pg_backend_pid()`;
  let published = 0;
  const publish = async (messages: readonly OutgoingMessage[]) => {
    if (published === 0) expect((await database.pool.query(endReader)).rowCount).toBe(1);
    published += messages.length;
  };
  await expect(republishTo(publish, mebibyte)).rejects.toMatchObject({ message: expect.stringMatching(/terminat/) });
  expect(published).toBeLessThan(stored.length);
}, 30_000);
