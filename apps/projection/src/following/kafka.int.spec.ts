import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { inTransaction } from '@paywright/event-sourcing';
import { BatchConsumer, CoalescingProducer, type OutgoingMessage, type TopicPartition } from '@paywright/messaging';
import { Metrics } from '@paywright/platform';
import { testTopics, type TestTopics } from '@paywright/testing';
import { profileProjection } from '../profile/profile.projection.ts';
import { TopicFollowers } from '../topic-followers.ts';
import { attributeSet, created, eventRecord, profileA, profileB, profileC } from '../testing/event-log.ts';
import { follow, rowsOf, testReadModel } from '../testing/read-model.ts';

const projection = profileProjection(new Set());
const profiles = [profileA, profileB, profileC];

const { pool } = await testReadModel();
let topics: TestTopics<'profile.events' | 'group.dead-letter'>;
let producer: CoalescingProducer;
let group: string;
const consumers: BatchConsumer[] = [];

beforeEach(async () => {
  topics = await testTopics({ 'profile.events': 3, 'group.dead-letter': 1 });
  group = topics.nameOf('group.dead-letter').replace('.dead-letter', '');
  producer = new CoalescingProducer({ kafka: topics.connection, metrics: new Metrics() });
  await producer.connect();
});
afterEach(async () => {
  await Promise.all(consumers.splice(0).map((consumer) => consumer.stop()));
  await producer.close();
  await topics[Symbol.asyncDispose]();
});

/** An instance of the projection, as open-projection.ts puts it together. */
async function startInstance(): Promise<BatchConsumer> {
  const topic = topics.nameOf('profile.events');
  const followers = new TopicFollowers([follow(pool, { ...projection, topic: 'profile.events' })]);
  const inTest = <Place extends TopicPartition>(places: readonly Place[]) =>
    places.map((place) => ({ ...place, topic }));
  const inFollower = <Place extends TopicPartition>(places: readonly Place[]) =>
    places.map((place) => ({ ...place, topic: 'profile.events' }));
  const consumer = new BatchConsumer({
    kafka: topics.connection,
    group,
    topic,
    producer,
    metrics: new Metrics(),
    carries: 'events',
    claim: async (partitions, anew) => inTest(await followers.claim(inFollower(partitions), inFollower(anew))),
    findLost: async (partitions) => inTest(await followers.findLost(inFollower(partitions))),
    handler: async (messages) => {
      const result = await followers.handle(inFollower(messages));
      return { ...result, ...(result.rewinds && { rewinds: inTest(result.rewinds) }) };
    },
  });
  await consumer.start();
  consumers.push(consumer);
  return consumer;
}

const publish = (records: readonly OutgoingMessage[]) =>
  producer.send(records.map((record) => ({ ...record, topic: topics.nameOf('profile.events') })));
const firstEvents = () => publish(profiles.map((id) => eventRecord('profile', id, 1, created(id))));
const attributes = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) =>
    profiles.map((id) => eventRecord('profile', id, from + index, attributeSet(id, 'goal', String(index)))),
  ).flat();

/** As in a crash: rows and offsets are of one moment. */
const loseAll = () =>
  inTransaction(pool, async (transaction) => {
    await transaction.query('update projection_offset set next_offset = 0');
    await transaction.query('truncate profile, profile_event');
  });

async function untilVersions(expected: readonly number[]): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    const versions = (await rowsOf(pool, 'profile')).map(({ version }) => version);
    if (JSON.stringify(versions) === JSON.stringify(expected)) return;
    await delay(100);
  }
  expect((await rowsOf(pool, 'profile')).map(({ version }) => version)).toEqual(expected);
}

describe('over Kafka', () => {
  it('folds in what was there before it, and what comes', async () => {
    await firstEvents();
    await startInstance();
    await untilVersions([1, 1, 1]);
    await publish(attributes(2, 4));
    await untilVersions([4, 4, 4]);
  });

  it('reads back what a restored database has lost, though nothing new comes', async () => {
    const before = await startInstance();
    await firstEvents();
    await publish(attributes(2, 4));
    await untilVersions([4, 4, 4]);
    await before.stop();
    await loseAll();
    await startInstance();
    await untilVersions([4, 4, 4]);
  });

  it('reads back what the database loses while it runs, though nothing new comes', async () => {
    await startInstance();
    await firstEvents();
    await publish(attributes(2, 4));
    await untilVersions([4, 4, 4]);
    await loseAll();
    await untilVersions([4, 4, 4]);
    await publish(attributes(5, 6));
    await untilVersions([6, 6, 6]);
    expect(await rowsOf(pool, 'profile_event')).toHaveLength(18);
  });

  it('reads a log anew that ends before what was read of it, and doubles nothing', async () => {
    const before = await startInstance();
    await firstEvents();
    await publish(attributes(2, 4));
    await untilVersions([4, 4, 4]);
    await before.stop();
    await pool.query('update projection_offset set next_offset = next_offset + 100'); // as after a longer log
    await startInstance();
    await publish(attributes(5, 6));
    await untilVersions([6, 6, 6]);
    expect(await rowsOf(pool, 'profile_event')).toHaveLength(18);
    const { rows } = await pool.query('select from dead_letter');
    expect(rows).toEqual([]);
  });

  it('loses and doubles nothing while instances come and go', async () => {
    const first = await startInstance();
    await firstEvents();
    await publish(attributes(2, 20));
    await startInstance();
    await publish(attributes(21, 40));
    await first.stop();
    await publish(attributes(41, 50));
    await untilVersions([50, 50, 50]);
    expect(await rowsOf(pool, 'profile_event')).toHaveLength(150);
    const { rows } = await pool.query('select from dead_letter');
    expect(rows).toEqual([]);
  });
});
