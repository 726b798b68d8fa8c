import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { afterAll, expect, it } from '@jest/globals';
import type { Admin } from 'kafkajs';
import { messagingMetrics } from '../messaging-metrics.ts';
import { ConsumerTest } from '../testing/consumer-test.ts';
import { KafkaTest } from '../testing/kafka-test.ts';
import { until } from '../testing/until.ts';
import { LagGauge } from './lag.ts';

const test = new KafkaTest();
afterAll(() => test.close());

it('tells nothing of a partition that was taken away while it was measured', async () => {
  const topic = await test.topic();
  const admin = test.kafka.client.admin();
  await admin.connect();
  test.closing(() => admin.disconnect());
  const asked = Promise.withResolvers<void>();
  const slow = {
    fetchOffsets: (question) => admin.fetchOffsets(question),
    fetchTopicOffsets: async (name) => {
      const offsets = await admin.fetchTopicOffsets(name);
      gauge.assigned({});
      asked.resolve();
      return offsets;
    },
  } as Admin;
  const metrics = messagingMetrics(test.metrics);
  const gauge = new LagGauge({ admin: slow, group: `test-${randomUUID()}`, metrics, logger: test.logger });
  gauge.assigned({ [topic]: [0] });
  gauge.start();
  await asked.promise;
  await setImmediate();
  gauge.stop();
  const metric = await test.metrics.registry.getSingleMetric('messaging_lag')?.get();
  expect(metric?.values).toEqual([]);
}, 30_000);

it('tells of a partition that ends before what was read of it, and of no other', async () => {
  const consumers = await ConsumerTest.open();
  try {
    const topic = await consumers.topic(2);
    await consumers.publish(topic, 0, 'anew 0', 'anew 1');
    await consumers.publish(topic, 1, '0', '1', '2');
    const admin = consumers.kafka.client.admin();
    await admin.connect();
    consumers.closing(() => admin.disconnect());
    const group = `test-${randomUUID()}`;
    const partitions = [0, 1].map((partition) => ({ partition, offset: '3' }));
    await admin.setOffsets({ groupId: group, topic, partitions });
    const gauge = new LagGauge({
      admin,
      group,
      metrics: messagingMetrics(consumers.metrics),
      logger: consumers.logger,
    });
    gauge.assigned({ [topic]: [0, 1] });
    gauge.start();
    const told = () => consumers.logLines.filter(({ fields }) => 'readUntil' in fields);
    await until(() => told().length > 0);
    gauge.stop();
    expect(told()).toMatchObject([{ level: 'error', fields: { topic, partition: 0, readUntil: '3', end: '2' } }]);
    const metric = await consumers.metrics.registry.getSingleMetric('messaging_truncated_partitions')?.get();
    expect(metric?.values).toMatchObject([{ labels: { group, topic, partition: 0 }, value: 1 }]);
  } finally {
    await consumers.close();
  }
}, 60_000);
