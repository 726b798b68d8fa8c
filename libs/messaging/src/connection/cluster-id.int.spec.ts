import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { KafkaTest } from '../testing/kafka-test.ts';
import { until } from '../testing/until.ts';
import { awaitClusterId, readClusterId } from './cluster-id.ts';

let test: KafkaTest;
beforeAll(() => void (test = new KafkaTest()));
afterAll(() => test.close());

it('is awaited until a broker is there', async () => {
  const proxy = await test.brokerProxy();
  proxy.cut();

  const read = awaitClusterId(test.connection(proxy.socketFactory));
  await until(() => test.logLines.some(({ message }) => message === 'No broker answers yet: waiting for one'));
  proxy.mend();

  expect(await read).toBe(await readClusterId(test.kafka));
}, 60_000);
