import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { BrokerProxy } from '../testing/broker-proxy.ts';
import { ConsumerTest, Recorder, textOf } from '../testing/consumer-test.ts';
import { until } from '../testing/until.ts';

let test: ConsumerTest;
let proxy: BrokerProxy;
beforeEach(async () => {
  test = await ConsumerTest.open();
  proxy = await test.brokerProxy();
});
afterEach(() => test.close());

it('reads on where a connection was lost in the middle of an answer', async () => {
  const topic = await test.topic();
  const recorder = new Recorder();
  const kafka = test.connection(proxy.socketFactory);
  await test.consume({ topic, handler: recorder.handler, kafka });
  await test.publish(topic, 0, 'first');
  await until(() => recorder.seen.length === 1);

  proxy.breakOffNextAnswerAbove(50_000);
  const large = ['ÿ', 'þ', 'ý'].map((letter) => letter.repeat(50_000));
  await test.publish(topic, 0, ...large);
  await until(() => proxy.brokenOff === 1);
  await test.publish(topic, 0, 'last');

  await until(() => recorder.texts().includes('last'));
  expect(recorder.seen.map(textOf)).toEqual(['first', ...large, 'last']);
}, 60_000);
