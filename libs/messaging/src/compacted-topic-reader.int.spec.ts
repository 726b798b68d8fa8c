import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { CompactedTopicReader } from './compacted-topic-reader.ts';
import type { OutgoingMessage } from './message.ts';
import type { CoalescingProducer } from './producer/coalescing-producer.ts';
import { KafkaTest } from './testing/kafka-test.ts';
import { until } from './testing/until.ts';

const schema = z.object({ version: z.int() });

describe('CompactedTopicReader on a real broker', () => {
  let test: KafkaTest;
  let producer: CoalescingProducer;
  beforeAll(async () => {
    test = new KafkaTest();
    producer = await test.producer();
  });
  afterAll(() => test.close());

  const compacted = (partitions: number) => test.topic(partitions, { 'cleanup.policy': 'compact' });
  const record = (topic: string, key: string, value: object | null): OutgoingMessage => ({
    topic,
    key,
    headers: {},
    value: value && JSON.stringify(value),
  });

  /** A reader's copy of the topic, as a service would hold it. */
  function copyOf(topic: string, isWanted: (key: string) => boolean = () => true) {
    const copy = new Map<string, { version: number }>();
    const onRecord = (key: string, value: { version: number } | null) =>
      void (value === null ? copy.delete(key) : copy.set(key, value));
    const { kafka, metrics } = test;
    const reader = new CompactedTopicReader({ kafka, metrics, topic, schema, isWanted, onRecord });
    test.closing(() => reader.stop());
    return { copy, reader };
  }

  it('has all that the topic held when it starts, the last value of each key, and no deleted one', async () => {
    const topic = await compacted(3);
    const keys = Array.from({ length: 200 }, (_, index) => `key ${index}`);
    await producer.send(keys.flatMap((key) => [1, 2].map((version) => record(topic, key, { version }))));
    await producer.send([record(topic, 'key 7', null)]);
    const { copy, reader } = copyOf(topic);

    expect(reader.ready()).not.toBe(true);
    await reader.start();

    expect(reader.ready()).toBe(true);
    expect([...copy.keys()].toSorted()).toEqual(keys.filter((key) => key !== 'key 7').toSorted());
    expect(new Set([...copy.values()].map(({ version }) => version))).toEqual(new Set([2]));
  }, 30_000);

  it('passes over the keys of which nothing is wanted, whatever their records hold', async () => {
    const topic = await compacted(1);
    await producer.send([record(topic, 'a', { version: 1 }), record(topic, 'other', { version: 'x' })]);
    const { copy, reader } = copyOf(topic, (key) => key === 'a');
    await reader.start();
    expect([...copy.keys()]).toEqual(['a']);
    expect(await test.measured('messaging_skipped_records_total')).toBe(0);
  }, 30_000);

  it('follows the changes, deletions too', async () => {
    const topic = await compacted(1);
    const { copy, reader } = copyOf(topic);
    await reader.start();
    expect(copy.size).toBe(0);

    await producer.send([record(topic, 'a', { version: 1 }), record(topic, 'b', { version: 1 })]);
    await until(() => copy.size === 2);
    await producer.send([record(topic, 'a', null), record(topic, 'b', { version: 2 })]);
    await until(() => copy.get('b')?.version === 2);
    expect([...copy.keys()]).toEqual(['b']);
  }, 30_000);

  it('skips and counts what does not parse, and keeps the former value', async () => {
    const topic = await compacted(1);
    await producer.send([
      record(topic, 'a', { version: 1 }),
      record(topic, 'a', { version: 'one' }),
      { topic, key: 'a', headers: {}, value: '{"vers' },
      record(topic, 'b', { version: 1 }),
    ]);
    const { copy, reader } = copyOf(topic);
    await reader.start();
    expect(Object.fromEntries(copy)).toEqual({ a: { version: 1 }, b: { version: 1 } });
    expect(await test.measured('messaging_skipped_records_total')).toBe(2);
    expect(test.logLines.filter(({ level }) => level === 'error')).toHaveLength(2);
  }, 30_000);

  it('reads on behind a record that has a header without a value', async () => {
    const topic = await compacted(1);
    await test.sendWithoutValueOf('none', record(topic, 'a', { version: 1 }));
    await producer.send([record(topic, 'b', { version: 1 })]);
    const { copy, reader } = copyOf(topic);
    await reader.start();
    expect(Object.fromEntries(copy)).toEqual({ a: { version: 1 }, b: { version: 1 } });
  }, 30_000);

  it('starts although the whole log was deleted', async () => {
    const topic = await test.topic(1, { 'cleanup.policy': 'compact,delete' });
    await producer.send([record(topic, 'a', { version: 1 })]);
    await test.deleteRecords(topic, 1);
    const { copy, reader } = copyOf(topic);
    await reader.start();
    expect(copy.size).toBe(0);
  }, 30_000);
});
