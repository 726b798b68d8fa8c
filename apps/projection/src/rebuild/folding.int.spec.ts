import { expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { topics, type Topic } from '@paywright/contracts';
import { BatchConsumer, CoalescingProducer, type KafkaConnection } from '@paywright/messaging';
import { createLogger, Metrics } from '@paywright/platform';
import { testTopics } from '@paywright/testing';
import { personalProjection } from '../personal/personal.projection.ts';
import { appId, personalRecord, profileA, profileB, profileC } from '../testing/event-log.ts';
import { clock, rowsOf, testReadModel } from '../testing/read-model.ts';
import { Folding } from './folding.ts';

const { pool } = await testReadModel();

it('reads back what a crash of the database took of the schema that is made', async () => {
  await using own = await testTopics({ [topics.profilePersonal]: 1 });
  const topic = own.nameOf(topics.profilePersonal) as Topic;
  const producer = new CoalescingProducer({ kafka: own.connection, metrics: new Metrics() });
  await producer.connect();
  const publish = (profileId: string) =>
    producer.send([
      { ...personalRecord(profileId, { appId, profileId, version: 1, fields: { email: 'a@b.c' } }), topic },
    ]);
  const folding = foldingOf(own.connection, topic);
  await folding.start(new AbortController().signal);
  try {
    await publish(profileA);
    await publish(profileB);
    await untilProfiles(profileA, profileB);
    await pool.query('update projection_offset set next_offset = 1');
    await pool.query('delete from profile_personal where profile_id = $1', [profileB]);
    await publish(profileC);
    await untilProfiles(profileA, profileB, profileC);
  } finally {
    await folding.stop();
    await producer.close();
  }
}, 60_000);

it('takes no partition over while it is held up, since the switch makes its schema the one that is read', async () => {
  await using own = await testTopics({ [topics.profilePersonal]: 2 });
  const topic = own.nameOf(topics.profilePersonal) as Topic;
  const folding = foldingOf(own.connection, topic);
  const producer = new CoalescingProducer({ kafka: own.connection, metrics: new Metrics() });
  const other = new BatchConsumer({
    ...{ kafka: own.connection, producer, metrics: new Metrics(), topic, carries: 'events' },
    group: 'projection-rebuild',
    handler: async () => ({ publish: [], deadLetters: [] }),
  });
  const claims = async () => {
    const counted = 'select sum(owner_epoch)::int as claims from projection_offset where topic = $1';
    return (await pool.query<{ claims: number | null }>(counted, [topic])).rows[0]?.claims ?? 0;
  };
  const untilClaimed = async (least: number) => {
    for (let attempt = 0; attempt < 200 && (await claims()) < least; attempt++) await delay(100);
    expect(await claims()).toBeGreaterThanOrEqual(least);
  };
  await folding.start(new AbortController().signal);
  try {
    await untilClaimed(2);
    await folding.hold();
    const before = await claims();
    await other.start(); // which has the group share its partitions anew
    while (other.ready() !== true) await delay(50);
    await delay(1_000);
    expect(await claims()).toBe(before);
    folding.goOn();
    await untilClaimed(before + 1);
  } finally {
    await Promise.all([folding.stop(), other.stop()]);
  }
}, 60_000);

it('starts no more once it is told to end, whatever it waits for', async () => {
  await using own = await testTopics({ [topics.profilePersonal]: 1 });
  const folding = foldingOf(own.connection, `${own.nameOf(topics.profilePersonal)}-missing` as Topic);
  const ending = new AbortController();
  const started = folding.start(ending.signal);
  try {
    await delay(1_000);
    ending.abort();
    await expect(started).rejects.toThrow('aborted');
  } finally {
    await folding.stop();
  }
}, 90_000);

const foldingOf = (kafka: KafkaConnection, topic: Topic) =>
  new Folding({
    kafka,
    pool,
    projections: [{ ...personalProjection, topic }],
    clusterId: 'cluster',
    clock,
    logger: createLogger({ service: 'test', level: 'error' }),
    failpoint: () => undefined,
  });

async function untilProfiles(...expected: readonly string[]): Promise<void> {
  const profiles = async () => (await rowsOf(pool, 'profile_personal')).map((row) => row['profile_id']);
  for (let attempt = 0; attempt < 200 && (await profiles()).length < expected.length; attempt++) await delay(100);
  expect(await profiles()).toEqual(expected);
}
