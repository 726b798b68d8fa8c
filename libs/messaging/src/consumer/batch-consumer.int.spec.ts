import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OutgoingMessage, ReceivedMessage } from '../message.ts';
import { ConsumerTest, nothing, Recorder, textOf } from '../testing/consumer-test.ts';
import { Gate, until } from '../testing/until.ts';
import { BatchConsumer } from './batch-consumer.ts';

describe('BatchConsumer on a real broker', () => {
  let test: ConsumerTest;
  beforeAll(async () => {
    test = await ConsumerTest.open();
  });
  afterAll(() => test.close());

  it('hands over every message with all it has, in the order of its key', async () => {
    const topic = await test.topic(3);
    const keys = ['a', 'b', 'c', 'd', 'e'];
    const sent = Array.from({ length: 1_000 }, (_, index) => ({ key: keys[index % 5] ?? '', value: String(index) }));
    await test.send(sent.map((one): OutgoingMessage => ({ topic, ...one, headers: { type: 'T' } })));
    const { seen, handler } = new Recorder();

    const fetched: ReceivedMessage[] = [];
    const behind: number[] = [];
    const onFetched = (messages: readonly ReceivedMessage[]) => {
      fetched.push(...messages);
      behind.push(seen.length - fetched.length);
    };
    await test.consume({ topic, handler, onFetched });
    await until(() => seen.length === 1_000);
    expect(fetched).toHaveLength(1_000);
    expect(Math.max(...behind)).toBeLessThan(0);

    const valuesOf = (key: string, all: readonly { key: string | null; value: unknown }[]) =>
      all.filter((one) => one.key === key).map(({ value }) => String(value));
    for (const key of keys) expect(valuesOf(key, seen)).toEqual(valuesOf(key, sent));
    expect(seen[0]).toMatchObject({ topic, headers: { type: 'T' }, timestamp: expect.any(Number) });
  }, 30_000);

  it('takes a header without a value for none, as other clients may write it', async () => {
    const topic = await test.topic();
    await test.sendWithoutValueOf('none', { topic, key: 'a', headers: { type: 'T' }, value: '1' });
    await test.publish(topic, 0, '2');
    const recorder = new Recorder();
    await test.consume({ topic, handler: recorder.handler });
    await until(() => recorder.seen.length === 2);
    expect(recorder.texts()).toEqual(['1', '2']);
    expect(recorder.seen[0]?.headers).toEqual({ type: 'T' });
  }, 30_000);

  it('commits what is handled, and goes on there after a stop', async () => {
    const topic = await test.topic();
    await test.publish(topic, 0, '1', '2');
    const first = new Recorder();
    const { consumer, group } = await test.consume({ topic, handler: first.handler });
    await until(() => first.seen.length === 2);
    await consumer.stop();
    expect(await test.committedOffset(group, topic)).toBe(2);

    await test.publish(topic, 0, '3');
    const second = new Recorder();
    await test.consume({ topic, group, handler: second.handler });
    await until(() => second.seen.length > 0);
    expect(second.texts()).toEqual(['3']);
  }, 30_000);

  it('waits for the batch in hand when it is stopped', async () => {
    const topic = await test.topic();
    await test.publish(topic, 0, '1');
    const [begun, gate] = [new Gate(), new Gate()];
    const handler = async () => {
      begun.open();
      await gate.passed;
      return nothing;
    };
    const { consumer, group } = await test.consume({ topic, handler });
    await begun.passed;
    const stopped = consumer.stop();
    gate.open();
    await stopped;
    expect(await test.committedOffset(group, topic)).toBe(1);
  }, 30_000);

  it('hands over the same messages again when the handler throws, and moves nothing meanwhile', async () => {
    const topic = await test.topic();
    await test.publish(topic, 0, '1', '2');
    const batches: string[][] = [];
    const committed: number[] = [];
    const handler = async (messages: readonly ReceivedMessage[]) => {
      batches.push(messages.map(textOf));
      committed.push(await test.committedOffset(group, topic));
      if (batches.length < 3) throw Object.assign(new Error('the database is away'), { code: 'ECONNREFUSED' });
      return nothing;
    };
    const group = `test-throws-${topic}`;
    await test.consume({ topic, group, handler });
    await until(async () => (await test.committedOffset(group, topic)) === 2);
    expect(batches).toEqual([
      ['1', '2'],
      ['1', '2'],
      ['1', '2'],
    ]);
    expect(committed).toEqual([-1, -1, -1]);
  }, 30_000);

  it('moves the offset only after its results are acknowledged', async () => {
    const [topic, results] = [await test.topic(), await test.topic()];
    const proxy = await test.brokerProxy();
    const producer = await test.producer({ kafka: test.connection(proxy.socketFactory) });
    const handler = async (messages: readonly ReceivedMessage[]) => ({
      publish: messages.map(({ value }) => ({ topic: results, partition: 0, headers: {}, value })),
      deadLetters: [],
    });
    proxy.swallowNextProduceResponses(1);
    const { group, consumer } = await test.consume({ topic, producer, handler });
    await test.publish(topic, 0, 'result');
    await until(async () => (await test.recordsOf(results)).length === 1);
    await delay(500);
    expect(await test.committedOffset(group, topic)).toBe(-1);

    await until(async () => (await test.committedOffset(group, topic)) === 1);
    await consumer.stop();
    await producer.close();
    expect((await test.recordsOf(results)).map(textOf)).toEqual(['result', 'result']);
  }, 40_000);

  it('waits for a broker that is gone when it starts', async () => {
    const topic = await test.topic();
    await test.publish(topic, 0, 'there');
    const proxy = await test.brokerProxy();
    const kafka = test.connection(proxy.socketFactory);
    const { seen, handler } = new Recorder();
    proxy.cut();
    const started = test.consume({ topic, handler, kafka });
    const isTold = () => test.logLines.some(({ message }) => message === 'No broker answers yet: waiting for one');
    await Promise.race([started, until(isTold)]);
    proxy.mend();
    await started;
    await until(() => seen.length === 1);
  }, 60_000);

  it('joins no group any more once it was stopped while it joined', async () => {
    const topic = await test.topic();
    const group = `test-${randomUUID()}`;
    const proxy = await test.brokerProxy();
    const kafka = test.connection(proxy.socketFactory);
    const { handler } = new Recorder();
    const producer = await test.producer();
    const consumer = new BatchConsumer({
      ...{ kafka, topic, group, handler, producer, metrics: test.metrics, carries: 'events' },
    });
    proxy.holdJoins();
    const started = consumer.start().catch(() => undefined);
    await until(() => proxy.heldJoins === 1);
    const stopped = consumer.stop();
    proxy.letJoinsGo();
    await Promise.all([started, stopped]);
    await delay(3_000); // for longer than a consumer that crashed rests
    await until(async () => (await test.membersOf(group)) === 0);
  }, 60_000);

  it('lets a slow partition hold up no other, and goes on with it in order', async () => {
    const topic = await test.topic(2);
    const [begun, gate] = [new Gate(), new Gate()];
    const { seen, handler } = new Recorder();
    const slow = async (messages: readonly ReceivedMessage[]) => {
      if (messages[0]?.partition === 0) {
        begun.open();
        await gate.passed;
      }
      return handler(messages);
    };
    await test.consume({ topic, handler: slow });
    await test.publish(topic, 0, 'slow 1');
    await begun.passed;
    for (const round of ['1', '2', '3']) {
      await test.publish(topic, 1, round);
      await until(() => seen.some((message) => textOf(message) === round));
    }
    await test.publish(topic, 0, 'slow 2');
    expect(seen.map(textOf)).toEqual(['1', '2', '3']);
    gate.open();
    await until(() => seen.length >= 5);
    expect(seen.filter(({ partition }) => partition === 0).map(textOf)).toEqual(['slow 1', 'slow 2']);
  }, 30_000);

  it('handles keys by themselves, and commits only behind what is handled without a gap', async () => {
    const topic = await test.topic();
    const gate = new Gate();
    const { seen, handler } = new Recorder();
    const slow = async (messages: readonly ReceivedMessage[]) => {
      if (messages[0]?.key === 'slow') await gate.passed;
      return handler(messages);
    };
    const { group } = await test.consume({ topic, handler: slow, keysAtATime: 8 });
    const messageOf = (key: string, value: string): OutgoingMessage => ({ topic, key, headers: {}, value });
    await test.send([messageOf('quick', '1'), messageOf('slow', '2'), messageOf('quick', '3')]);
    await until(() => seen.length === 2);
    expect(seen.map(textOf)).toEqual(['1', '3']);
    await until(async () => (await test.committedOffset(group, topic)) === 1);
    await test.send([messageOf('slow', '4')]);
    gate.open();
    await until(async () => (await test.committedOffset(group, topic)) === 4);
    expect(seen.map(textOf)).toEqual(['1', '3', '2', '4']);
  }, 30_000);

  it('does not fetch without end what nobody handles, and has all of it in the end', async () => {
    const topic = await test.topic(2);
    const gate = new Gate();
    const { seen, handler } = new Recorder();
    const heldUp = async (messages: readonly ReceivedMessage[]) => {
      await gate.passed;
      return handler(messages);
    };
    const { metrics } = test;
    await test.consume({ topic, handler: heldUp });
    const text = 'x'.repeat(100_000);
    for (let round = 0; round < 15; round++) await test.publish(topic, 0, ...Array.from({ length: 10 }, () => text));
    await until(async () => /messaging_paused_partitions\{.*\} 1/.test(await metrics.text()));
    gate.open();
    await until(() => seen.length === 150);
    await until(async () => /messaging_paused_partitions\{.*\} 0/.test(await metrics.text()));
  }, 30_000);

  it('has no more of a backlog in memory than it may, however long its batches take', async () => {
    const topic = await test.topic(4);
    const value = 'x'.repeat(10_000);
    for (let round = 0; round < 60; round++)
      await test.send([0, 1, 2, 3].map((partition) => ({ topic, partition, headers: {}, value })));
    const proxy = await test.brokerProxy();
    const gate = new Gate();
    const { seen, handler } = new Recorder();
    const heldUp = async (messages: readonly ReceivedMessage[]) => {
      await gate.passed;
      return handler(messages);
    };
    const mostBytes = 256_000;
    const kafka = test.connection(proxy.socketFactory);
    const { consumer, group } = await test.consume({ kafka, topic, handler: heldUp, mostBytes });
    const allFull = new RegExp(`messaging_paused_partitions\\{group="${group}"\\} 4`);
    await until(async () => allFull.test(await test.metrics.text()));
    await delay(500);
    const { inAll, largest } = proxy.answered;
    gate.open();
    await until(() => seen.length === 240);
    await consumer.stop();

    // Each partition waits with its share and a last fetch of an eighth, and has as much in hand; answers hold a little more.
    const [waiting, more] = [mostBytes + 4 * (mostBytes / 8), 30_000];
    expect(inAll).toBeLessThan(2 * waiting + more);
    expect(largest).toBeLessThan(mostBytes + more);
  }, 30_000);

  it('takes more at a time where it rests behind a fetch, and the first message at once', async () => {
    const topic = await test.topic();
    const batches: number[] = [];
    const handler = async (messages: readonly ReceivedMessage[]) => {
      batches.push(messages.length);
      return nothing;
    };
    await test.consume({ topic, handler, restMs: () => 2_000 });
    await test.publish(topic, 0, 'first');
    await until(() => batches.length === 1, 1_500);
    for (let message = 0; message < 5; message++) await test.publish(topic, 0, 'gathers');
    await until(() => batches.length === 2);
    expect(batches).toEqual([1, 5]);
  }, 30_000);

  it('rests no longer than the topic of a fetch that may wait least', async () => {
    const [slow, quick] = [await test.topic(), await test.topic()];
    const { seen, handler } = new Recorder();
    const restMs = (topic: string) => (topic === slow ? 20_000 : 0);
    for (const topic of [slow, quick]) await test.publish(topic, 0, 'in the first fetch');
    await test.consume({ topic: [slow, quick], handler, restMs });
    await until(() => seen.length === 2);
    await test.publish(quick, 0, 'soon');
    await until(() => seen.length === 3, 10_000);
  }, 30_000);

  it('would hold up every partition without the hand-off', async () => {
    const topic = await test.topic(2);
    const gate = new Gate();
    const { seen, handler } = new Recorder();
    const slow = async (messages: readonly ReceivedMessage[]) => {
      if (messages[0]?.partition === 0) await gate.passed;
      return handler(messages);
    };
    await test.consume({ topic, handler: slow, defects: new Set(['no-hand-off']) });
    await test.publish(topic, 0, 'slow');
    await delay(300);
    await test.publish(topic, 1, 'quick');
    await delay(1_000);
    expect(seen).toEqual([]);
    gate.open();
    await until(() => seen.length === 2);
  }, 30_000);

  it('would lose what it was told to forget: a commit before the handling', async () => {
    const topic = await test.topic();
    const gate = new Gate();
    const handler = async () => {
      await gate.passed;
      return nothing;
    };
    const broken = await test.consume({ topic, handler, defects: new Set(['commit-before-handling']) });
    const whole = await test.consume({ topic, handler });
    await test.publish(topic, 0, 'in hand');
    await until(async () => (await test.committedOffset(broken.group, topic)) === 1);
    await delay(300);
    expect(await test.committedOffset(whole.group, topic)).toBe(-1);
    gate.open();
    await until(async () => (await test.committedOffset(whole.group, topic)) === 1);
  }, 30_000);

  it('would die of a body that is not JSON, parsed where nothing catches', async () => {
    const topic = await test.topic();
    await test.publish(topic, 0, '{"broken":');
    const crashed = new Gate();
    const { handler } = new Recorder();
    const options = { topic, handler, onFinalCrash: () => crashed.open() };
    const { consumer } = await test.consume({ ...options, defects: new Set(['parse-outside-catch']) });
    await crashed.passed;
    expect(consumer.ready()).not.toBe(true);
  }, 30_000);
});
