import { expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { topics, type Topic } from '@paywright/contracts';
import { CoalescingProducer, type Failpoint, type KafkaConnection } from '@paywright/messaging';
import { createLogger, Metrics } from '@paywright/platform';
import { testTopics } from '@paywright/testing';
import { personalProjection } from '../personal/personal.projection.ts';
import { appId, personalRecord, profileA, profileB, profileC } from '../testing/event-log.ts';
import { profileOf } from '../testing/mixed-log.ts';
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
  const folding = await foldingOf(own.connection, topic);
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

it('shares the partitions with another process, and each record is folded in once', async () => {
  await using own = await testTopics({ [topics.profilePersonal]: 2 });
  const topic = own.nameOf(topics.profilePersonal) as Topic;
  const commits = [0, 0];
  const both = await Promise.all(
    commits.map((_, index) => foldingOf(own.connection, topic, () => void (commits[index]! += 1))),
  );
  const producer = new CoalescingProducer({ kafka: own.connection, metrics: new Metrics() });
  await producer.connect();
  try {
    await Promise.all(both.map((folding) => folding.start(new AbortController().signal)));
    const profileIds = Array.from({ length: 100 }, (_, index) => profileOf(index)).toSorted();
    for (let attempt = 0; attempt < 100 && commits.includes(0); attempt++) {
      await producer.send(
        profileIds.map((profileId) => ({
          ...personalRecord(profileId, { appId, profileId, version: 1 + attempt, fields: { email: 'a@b.c' } }),
          topic,
        })),
      );
      await delay(100);
    }
    expect(commits).not.toContain(0);
    await untilProfiles(...profileIds);
  } finally {
    await Promise.all([...both.map((folding) => folding.stop()), producer.close()]);
  }
}, 60_000);

it('starts no more once it is told to end, whatever it waits for', async () => {
  await using own = await testTopics({ [topics.profilePersonal]: 1 });
  const folding = await foldingOf(own.connection, `${own.nameOf(topics.profilePersonal)}-missing` as Topic);
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

async function foldingOf(kafka: KafkaConnection, topic: Topic, failpoint: Failpoint = () => undefined) {
  const { rows } = await pool.query<{ table: number }>(`select 'projection_offset'::regclass::oid as table`);
  return new Folding({
    table: rows[0]!.table,
    failpoint,
    kafka,
    pool,
    projections: [{ ...personalProjection, topic }],
    clusterId: 'cluster',
    clock,
    logger: createLogger({ service: 'test', level: 'error' }),
  });
}

async function untilProfiles(...expected: readonly string[]): Promise<void> {
  const profiles = async () => (await rowsOf(pool, 'profile_personal')).map((row) => row['profile_id']);
  for (let attempt = 0; attempt < 200 && (await profiles()).length < expected.length; attempt++) await delay(100);
  expect(await profiles()).toEqual(expected);
}
