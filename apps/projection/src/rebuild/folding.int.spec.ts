import { expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { topics, type Topic } from '@paywright/contracts';
import { CoalescingProducer } from '@paywright/messaging';
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
  const folding = new Folding({
    kafka: own.connection,
    pool,
    projections: [{ ...personalProjection, topic }],
    clusterId: 'cluster',
    clock,
    logger: createLogger({ service: 'test', level: 'error' }),
    failpoint: () => undefined,
  });
  await folding.start();
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

async function untilProfiles(...expected: readonly string[]): Promise<void> {
  const profiles = async () => (await rowsOf(pool, 'profile_personal')).map((row) => row['profile_id']);
  for (let attempt = 0; attempt < 200 && (await profiles()).length < expected.length; attempt++) await delay(100);
  expect(await profiles()).toEqual(expected);
}
