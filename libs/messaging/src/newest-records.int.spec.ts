import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { z } from 'zod';
import type { OutgoingMessage } from './message.ts';
import { CompactedTopicReader } from './compacted-topic-reader.ts';
import { NewestRecords } from './newest-records.ts';
import type { CoalescingProducer } from './producer/coalescing-producer.ts';
import { KafkaTest } from './testing/kafka-test.ts';

let test: KafkaTest;
let topic: string;
let producer: CoalescingProducer;

beforeAll(async () => {
  test = new KafkaTest();
  topic = await test.topic(1, { 'cleanup.policy': 'compact' });
  producer = await test.producer();
}, 30_000);

afterAll(() => test.close());

const record = (stream: string, version: number): OutgoingMessage => ({
  topic,
  key: stream,
  headers: {},
  value: JSON.stringify({ version }),
});

const schema = z.object({ version: z.int().default(0) });
const keeping = () => ({
  ...{ topic, logger: test.logger, everyMs: 500 },
  reader: new CompactedTopicReader({ kafka: test.kafka, metrics: test.metrics, topic, schema }),
  versionOf: ({ version }: { readonly version: number }) => version,
  publish: (records: readonly OutgoingMessage[]) => producer.send(records),
});

/** What compaction leaves. */
async function lastOnes(): Promise<Record<string, number>> {
  const last: Record<string, number> = {};
  for (const { key, value } of await test.recordsOf(topic)) last[key ?? ''] = JSON.parse(String(value)).version;
  return last;
}

it('tells the newest again behind an older record, and what was never told', async () => {
  const store = { a: 3, b: 3, c: 3 };
  const newest = new NewestRecords({
    ...keeping(),
    streamOf: (key) => key,
    versions: async () => new Map(Object.entries(store)),
    recordsOf: async (stream) => [record(stream, 3)],
  });
  await producer.send([record('a', 3), record('b', 3), record('a', 2)]);
  await newest.start();
  try {
    while ((await lastOnes())['a'] !== 3 || (await lastOnes())['c'] !== 3) await delay(20);
    await producer.send([record('b', 2)]);
    while ((await lastOnes())['b'] !== 3) await delay(20);
    expect(await lastOnes()).toEqual(store);
  } finally {
    await newest.stop();
  }
}, 30_000);

it('says once of a stream that it has nothing to tell, and nothing of publishing', async () => {
  let turns = 0;
  const newest = new NewestRecords({
    ...keeping(),
    streamOf: (key) => key,
    versions: async () => ((turns += 1), new Map([['unreadable', 3]])),
    recordsOf: async () => [],
    everyMs: 20,
  });
  await newest.start();
  while (turns < 10) await delay(20);
  await newest.stop();
  const told = test.logLines.flatMap(({ fields, message }) =>
    'stream' in fields && fields.stream === 'unreadable' ? [message] : [],
  );
  expect(told).toEqual(['The last record of a stream is not its newest, and there is nothing to publish in its place']);
}, 15_000);

it('asks for the streams alone that the topic’s keys tell, also by records without a version', async () => {
  const told = ({ key, ...record }: OutgoingMessage) => ({ ...record, key: `${key}/state` });
  const asked = new Set<string>();
  const newest = new NewestRecords({
    ...keeping(),
    streamOf: (key) => (key.endsWith('/state') ? key.slice(0, -'/state'.length) : null),
    versions: async (streams) => {
      for (const stream of streams) asked.add(stream);
      return new Map(streams.map((stream) => [stream, 3]));
    },
    recordsOf: async (stream) => [told(record(stream, 3))],
  });
  await producer.send([record('e', 1), told(record('f', 1)), { ...told(record('g', 1)), value: '{}' }]);
  await newest.start();
  try {
    while ((await lastOnes())['f/state'] !== 3 || (await lastOnes())['g/state'] !== 3) await delay(20);
    expect([...asked]).toEqual(['f', 'g']);
    expect(await lastOnes()).toMatchObject({ e: 1 });
  } finally {
    await newest.stop();
  }
}, 30_000);

it('keeps the newest by what another reads, which reads once for both', async () => {
  const read: string[] = [];
  const { kafka, metrics } = test;
  const reader = new CompactedTopicReader({ kafka, metrics, topic, schema, onRecord: (key) => void read.push(key) });
  const newest = new NewestRecords({
    ...keeping(),
    reader,
    streamOf: (key) => key,
    versions: async () => new Map([['shared', 3]]),
    recordsOf: async (stream) => [record(stream, 3)],
    everyMs: 100,
  });
  await producer.send([record('shared', 3), record('shared', 2)]);
  await Promise.all([reader.start(), newest.start()]);
  try {
    while ((await lastOnes())['shared'] !== 3) await delay(20);
    while (read.filter((key) => key === 'shared').length < 3) await delay(20);
    const all = (await test.recordsOf(topic)).map(({ key }) => key);
    expect(read).toEqual(all.slice(0, read.length));
  } finally {
    await newest.stop();
  }
}, 15_000);

it('tells again what an unreadable record hides', async () => {
  const newest = new NewestRecords({
    ...keeping(),
    streamOf: (key) => key,
    versions: async () => new Map([['u', 3]]),
    recordsOf: async (stream) => [record(stream, 3)],
    everyMs: 100,
  });
  await producer.send([record('u', 3), { ...record('u', 3), value: '{"version":3' }]);
  await newest.start();
  try {
    let last: string | undefined;
    while (last !== JSON.stringify({ version: 3 })) {
      last = String((await test.recordsOf(topic)).findLast(({ key }) => key === 'u')?.value);
    }
  } finally {
    await newest.stop();
  }
}, 15_000);
