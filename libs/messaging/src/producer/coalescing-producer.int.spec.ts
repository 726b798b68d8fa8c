import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Metrics } from '@paywright/platform';
import { DeadlinePassed, PublishFailed, ServiceOverloaded } from '../errors.ts';
import type { OutgoingMessage } from '../message.ts';
import type { BrokerProxy } from '../testing/broker-proxy.ts';
import { KafkaTest } from '../testing/kafka-test.ts';
import { until } from '../testing/until.ts';

const message = (topic: string, value: string, key = 'one'): OutgoingMessage => ({ topic, key, headers: {}, value });

describe('CoalescingProducer on a real broker', () => {
  let test: KafkaTest;
  beforeAll(() => {
    test = new KafkaTest();
  });
  afterAll(() => test.close());

  const valuesOf = async (topic: string) => (await test.recordsOf(topic)).map(({ value }) => String(value));

  it('takes what arrives during a request with the next one, in order', async () => {
    const topic = await test.topic();
    const producer = await test.producer();
    const before = await test.measured('messaging_producer_flush_messages');
    const numbers = Array.from({ length: 2_500 }, (_, index) => String(index));

    await Promise.all(numbers.map((number) => producer.send([message(topic, number)])));

    expect(await valuesOf(topic)).toEqual(numbers);
    // 1 000 messages a request at most, and the first one takes what came in the same turn.
    expect((await test.measured('messaging_producer_flush_messages')) - before).toBe(3);
    expect(producer.queuedMessages).toBe(0);
    expect(producer.queuedBytes).toBe(0);
  }, 30_000);

  it('lets a message that the broker refuses fail alone', async () => {
    const topic = await test.topic(1, { 'max.message.bytes': '10000' });
    const producer = await test.producer();
    const sizes = [10, 20_000, 30, 40, 50];

    const sent = await Promise.allSettled(sizes.map((size) => producer.send([message(topic, 'x'.repeat(size))])));

    expect(sent.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
    expect(sent[1]).toMatchObject({ reason: expect.any(PublishFailed) });
    expect(sent[1]).toMatchObject({ reason: { retriable: false } });
    const stored = new Set((await valuesOf(topic)).map(({ length }) => length));
    expect(stored).toEqual(new Set([10, 30, 40, 50]));
  }, 30_000);

  it('sends nothing of a call behind the message that failed', async () => {
    const topic = await test.topic(1, { 'max.message.bytes': '10000' });
    const producer = await test.producer();
    const [first, refused, later] = ['first', 'x'.repeat(20_000), 'later'].map((value) => message(topic, value));

    await expect(producer.send([first, refused, later].filter((one) => one !== undefined))).rejects.toThrow(
      PublishFailed,
    );
    await producer.send([message(topic, 'another call')]);

    expect(await valuesOf(topic)).not.toContain('later');
    expect((await valuesOf(topic)).at(-1)).toBe('another call');
  }, 30_000);

  it('drops what has expired in the queue', async () => {
    const topic = await test.topic();
    const producer = await test.producer();
    await expect(producer.sendWithDeadline([message(topic, 'late')], 0)).rejects.toThrow(DeadlinePassed);
    await producer.sendWithDeadline([message(topic, 'in time')], 5_000);
    expect(await valuesOf(topic)).toEqual(['in time']);
  }, 30_000);

  it('refuses what exceeds its queue, and sends nothing of it', async () => {
    const topic = await test.topic();
    const producer = await test.producer({ maxQueuedMessages: 2 });
    const sent = await Promise.allSettled(['a', 'b', 'c'].map((value) => producer.send([message(topic, value)])));
    expect(sent[2]).toMatchObject({ reason: expect.any(ServiceOverloaded) });
    expect(await valuesOf(topic)).toEqual(['a', 'b']);
  }, 30_000);

  it('sends what is queued before it closes, and nothing more', async () => {
    const topic = await test.topic();
    const producer = await test.producer();
    const sent = producer.send([message(topic, 'last')]);
    await producer.close();
    await sent;
    await expect(producer.send([message(topic, 'too late')])).rejects.toThrow(ServiceOverloaded);
    expect(await valuesOf(topic)).toEqual(['last']);
  }, 30_000);
});

describe('a produce response that is lost', () => {
  let test: KafkaTest;
  let proxy: BrokerProxy;
  beforeAll(async () => {
    test = new KafkaTest();
    proxy = await test.brokerProxy();
  });
  afterAll(() => test.close());

  /** Sends A, and B and C while A is on its way; A's response is lost. @returns what was acknowledged and is missing */
  async function lostMessages(broken: boolean): Promise<string[]> {
    const topic = await test.topic();
    const kafka = test.connection(proxy.socketFactory);
    const producer = await test.producer({
      kafka,
      ...(broken && { defects: new Set(['idempotent-producer'] as const) }),
    });
    await producer.send([message(topic, 'warm-up')]);
    proxy.swallowNextProduceResponses(1);
    const values = ['A', 'B', 'C'];
    const sent = values.map((value) => producer.send([message(topic, value)]).then(() => value));
    const acknowledged = (await Promise.allSettled(sent)).flatMap((one) =>
      one.status === 'fulfilled' ? [one.value] : [],
    );
    expect(acknowledged).toContain('A');
    const stored = new Set((await test.recordsOf(topic)).map(({ value }) => String(value)));
    return acknowledged.filter((value) => !stored.has(value));
  }

  it('loses nothing that was acknowledged', async () => {
    expect(await lostMessages(false)).toEqual([]);
    expect(proxy.swallowed).toBe(1);
  }, 60_000);

  it('would lose a message in the idempotent mode of kafkajs', async () => {
    expect(await lostMessages(true)).not.toEqual([]);
  }, 60_000);

  it('replaces the client after three time-outs in a row', async () => {
    const topic = await test.topic();
    const producer = await test.producer({ kafka: test.connection(proxy.socketFactory) });
    await producer.send([message(topic, 'warm-up')]);
    proxy.swallowNextProduceResponses(3);
    await producer.send([message(topic, 'in the end')]);
    expect(await test.measured('messaging_producer_recycled_total')).toBe(1);
    expect((await test.recordsOf(topic)).at(-1)?.value?.toString()).toBe('in the end');
  }, 60_000);

  it('sends again once a broker is there, though its new client found none', async () => {
    const topic = await test.topic();
    const producer = await test.producer({ kafka: test.connection(proxy.socketFactory) });
    await producer.send([message(topic, 'warm-up')]);
    const [recycled, retried] = ['messaging_producer_recycled_total', 'messaging_producer_retries_total'] as const;
    const before = { [recycled]: await test.measured(recycled), [retried]: await test.measured(retried) };
    proxy.hold();
    const sent = producer.send([message(topic, 'in the end')]);
    await until(async () => (await test.measured(recycled)) > before[recycled], 30_000);
    proxy.cut();
    await until(async () => (await test.measured(retried)) > before[retried] + 3, 30_000);
    proxy.mend();
    await sent;
    expect((await test.recordsOf(topic)).at(-1)?.value?.toString()).toBe('in the end');
  }, 90_000);

  it('tells for how long a silent broker has acknowledged nothing of what waits, and nothing else', async () => {
    const stalled = 'messaging_producer_stalled_seconds';
    const topic = await test.topic();
    const metrics = new Metrics();
    const producer = await test.producer({ kafka: test.connection(proxy.socketFactory), metrics });
    const told = async () => (await metrics.registry.getSingleMetric(stalled)?.get())?.values.map(({ value }) => value);
    await producer.send([message(topic, 'before')]);
    expect(await told()).toEqual([0]);

    proxy.hold();
    const sent = producer.send([message(topic, 'meanwhile')]);
    await until(() => producer.stalledMs > 1_500);
    const [seconds] = (await told()) ?? [];
    expect(seconds).toBeGreaterThan(1.5);
    proxy.mend();
    await sent;
    expect(await told()).toEqual([0]);
  }, 90_000);
});
