import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findRecord, readPartition } from './read-partition.ts';
import { ConsumerTest, textOf } from './testing/consumer-test.ts';

describe('reading a partition once more', () => {
  let test: ConsumerTest;
  beforeAll(async () => {
    test = await ConsumerTest.open();
  });
  afterAll(() => test.close());

  const textsFrom = async (topic: string, offset: string, partition = 0, most = Infinity) => {
    const texts: string[] = [];
    await readPartition(test.kafka, { topic, partition, offset }, (message) => {
      if (texts.length < most) texts.push(textOf(message));
      return texts.length < most;
    });
    return texts;
  };

  it('shows it from an offset to its end, or until it is enough, and no other partition', async () => {
    const topic = await test.topic(2);
    await test.publish(topic, 0, 'a', 'b', 'c', 'd');
    await test.publish(topic, 1, 'x');
    expect(await textsFrom(topic, '1')).toEqual(['b', 'c', 'd']);
    expect(await textsFrom(topic, '1', 0, 1)).toEqual(['b']);
    expect(await textsFrom(topic, '0', 1)).toEqual(['x']);
    expect(await textsFrom(topic, '4')).toEqual([]);
  }, 30_000);

  it('finds a record while the topic holds it', async () => {
    const topic = await test.topic();
    await test.publish(topic, 0, 'a', 'b', 'c');
    const find = async (offset: string) => {
      const found = await findRecord(test.kafka, { topic, partition: 0, offset });
      return found && textOf(found);
    };
    expect([await find('1'), await find('3')]).toEqual(['b', null]);
    await test.deleteRecords(topic, 2);
    expect([await find('1'), await find('2')]).toEqual([null, 'c']);
    expect(await textsFrom(topic, '0')).toEqual(['c']);
  }, 30_000);

  it('has no reader any more once it was given up', async () => {
    const topic = await test.topic();
    await test.publish(topic, 0, 'a');
    const proxy = await test.brokerProxy();
    const kafka = test.connection(proxy.socketFactory);
    proxy.holdJoins();
    const reading = readPartition(kafka, { topic, partition: 0, offset: '0' }, () => true, 500);
    await expect(reading).rejects.toThrow('did not show');
    proxy.letJoinsGo();
    proxy.holdJoins();
    await delay(3_000); // for longer than a consumer that crashed rests
    expect(proxy.heldJoins).toBe(0);
  }, 90_000);
});
