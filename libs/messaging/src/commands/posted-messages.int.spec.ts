import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { requestTimeoutMs } from '../connection/client-settings.ts';
import { ServiceOverloaded } from '../errors.ts';
import type { OutgoingMessage } from '../message.ts';
import { messagingMetrics } from '../messaging-metrics.ts';
import type { BrokerProxy } from '../testing/broker-proxy.ts';
import { KafkaTest } from '../testing/kafka-test.ts';
import { until } from '../testing/until.ts';
import { PostedMessages } from './posted-messages.ts';

const message = (topic: string, value: string): OutgoingMessage => ({ topic, key: value, headers: {}, value });

describe('what was posted', () => {
  let test: KafkaTest;
  let proxy: BrokerProxy;
  beforeAll(async () => {
    test = new KafkaTest();
    proxy = await test.brokerProxy();
  });
  afterAll(() => test.close());

  const waiting = () => test.measured('messaging_posted_messages');
  const post = async (topic: string, values: readonly string[]) => {
    const producer = await test.producer({ kafka: test.connection(proxy.socketFactory) });
    const posted = new PostedMessages(producer, test.logger, messagingMetrics(test.metrics));
    await producer.send([message(topic, 'before')]);
    proxy.cut();
    for (const value of values) posted.post(message(topic, value));
    return posted;
  };
  const valuesOf = async (topic: string) => (await test.recordsOf(topic)).map(({ value }) => String(value));

  it('reaches a broker that was away', async () => {
    const topic = await test.topic();
    await post(topic, ['a', 'b']);
    await delay(300);
    expect(await waiting()).toBe(2);
    proxy.mend();
    await until(async () => (await waiting()) === 0);
    expect((await valuesOf(topic)).toSorted()).toEqual(['a', 'b', 'before']);
  }, 60_000);

  it('may be more than one request carries, up to 32 MiB', async () => {
    const topic = await test.topic();
    const posted = await post(
      topic,
      Array.from({ length: 1_500 }, (_, index) => `${index}`),
    );
    const large = { ...message(topic, 'large'), value: 'x'.repeat(900_000) };
    let taken = 0;
    const fill = () => {
      for (; ; taken++) posted.post(large);
    };
    expect(fill).toThrow(ServiceOverloaded);
    expect(taken).toBe(37);
    proxy.mend();
    await until(async () => (await waiting()) === 0);
    expect(new Set(await valuesOf(topic)).size).toBe(1_502);
    posted.post(message(topic, 'one more'));
    await until(async () => (await valuesOf(topic)).includes('one more'));
  }, 60_000);

  it('reaches a broker that first took connections and answered nothing, longer than a request waits', async () => {
    const topic = await test.topic();
    await post(topic, ['a', 'b', 'c', 'd']);
    proxy.hold();
    await delay(requestTimeoutMs + 3_000);
    expect(await waiting()).toBe(4);
    proxy.mend();
    await until(async () => (await waiting()) === 0);
    expect(new Set(await valuesOf(topic))).toEqual(new Set(['a', 'b', 'before', 'c', 'd']));
    expect(test.logLines.filter(({ message }) => message === 'A posted message was not delivered')).toEqual([]);
  }, 60_000);
});
