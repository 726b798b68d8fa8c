import { expect, it } from '@jest/globals';
import { topics } from '@paywright/contracts';
import { CoalescingProducer } from '@paywright/messaging';
import { Metrics } from '@paywright/platform';
import { testTopics } from '@paywright/testing';
import { personalRecord, profileA, profileB } from '../testing/event-log.ts';
import { sourceLog } from './source-log.ts';

it('finds the newest record of a key in a part of its partition, and tells where that ends', async () => {
  await using own = await testTopics({ [topics.profilePersonal]: 1 });
  const topic = own.nameOf(topics.profilePersonal);
  const producer = new CoalescingProducer({ kafka: own.connection, metrics: new Metrics() });
  await producer.connect();
  for (const key of [profileA, profileB, profileA, profileB])
    await producer.send([{ ...personalRecord(key, null), topic }]);
  await producer.close();

  const newest = async (key: string, offset: string, end?: string) => {
    const part = { topic, partition: 0, offset, ...(end !== undefined && { end }) };
    const { record, next } = await sourceLog(own.connection).findNewest(part, key);
    return [record?.offset ?? null, next];
  };
  expect(await newest(profileA, '0')).toEqual(['2', '4']);
  expect(await newest(profileA, '0', '2')).toEqual(['0', '2']);
  expect(await newest(profileA, '3')).toEqual([null, '4']);
  expect(await newest(profileA, '4')).toEqual([null, '4']);
}, 30_000);
