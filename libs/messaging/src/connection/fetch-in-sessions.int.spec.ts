import { afterEach, beforeEach, expect, it } from '@jest/globals';
import Broker, { type FetchRequest } from 'kafkajs/src/broker/index.js';
import type { BatchConsumerOptions } from '../consumer/batch-consumer-options.ts';
import type { BrokerProxy } from '../testing/broker-proxy.ts';
import { ConsumerTest, Recorder } from '../testing/consumer-test.ts';
import { until } from '../testing/until.ts';
import type { KafkaConnection } from './kafka-connection.ts';

const partitions = 60;
/** Less than this a partition does not take in an answer. */
const bytesAPartition = 35;

let test: ConsumerTest;
let proxy: BrokerProxy;
let topic: string;
let recorder: Recorder;
let kafka: KafkaConnection;
beforeEach(async () => {
  test = await ConsumerTest.open();
  proxy = await test.brokerProxy();
  topic = await test.topic(partitions);
  recorder = new Recorder();
  kafka = test.connection(proxy.socketFactory);
});
afterEach(() => test.close());

const consume = (options: Partial<BatchConsumerOptions> = {}) =>
  test.consume({ topic, handler: recorder.handler, kafka, ...options });

async function publishAndAwait(...texts: readonly string[]): Promise<void> {
  for (const [index, text] of texts.entries()) {
    await test.publish(topic, index, text);
    await until(() => recorder.texts().includes(text));
  }
}

const texts = (from: number, behind: number) => Array.from({ length: behind - from }, (_, index) => `${from + index}`);

it('is answered with the partitions that have news', async () => {
  await consume();
  await publishAndAwait('first');
  const before = proxy.answered.inAll;
  await publishAndAwait(...texts(0, 20));

  expect(proxy.answered.inAll - before).toBeLessThan((20 * partitions * bytesAPartition) / 2);
  expect(recorder.texts()).toEqual(['first', ...texts(0, 20)]);
});

it('reads on where the connection was lost', async () => {
  await consume();
  await publishAndAwait('first');
  proxy.cut();
  await test.publish(topic, 1, 'meanwhile');
  proxy.mend();
  await publishAndAwait('afterwards');

  await until(() => recorder.texts().includes('meanwhile'));
  expect(recorder.texts().toSorted()).toEqual(['afterwards', 'first', 'meanwhile']);
}, 30_000);

it('reads on where the broker knows another session than it does', async () => {
  const asked: { broker: Broker; request: FetchRequest }[] = [];
  const { fetch } = Broker.prototype;
  Broker.prototype.fetch = async function watched(request) {
    asked.push({ broker: this, request });
    return fetch.call(this, request);
  };
  try {
    await consume();
    await publishAndAwait('first');
    const { broker, request } = asked.at(-1)!;
    // Two requests of one epoch: the broker takes one of them.
    await broker.fetch(request);
    await publishAndAwait(...texts(0, 5));
  } finally {
    Broker.prototype.fetch = fetch;
  }

  expect(recorder.texts()).toEqual(['first', ...texts(0, 5)]);
});

it('reads a partition that was full from where it stood', async () => {
  const large = (index: number) => `${index}`.padEnd(20_000, '.');
  const values = Array.from({ length: 40 }, (_, index) => large(index));
  await test.publish(topic, 0, ...values.slice(0, 20));
  await consume({ mostBytes: 100_000 });
  await test.publish(topic, 0, ...values.slice(20));
  await publishAndAwait('beside');

  await until(() => recorder.texts(0).length >= values.length + 1);
  expect(recorder.texts(0).filter((text) => text !== 'beside')).toEqual(values);
}, 30_000);
