import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { afterAll, expect, it } from '@jest/globals';
import type { Admin } from 'kafkajs';
import { messagingMetrics } from '../messaging-metrics.ts';
import { KafkaTest } from '../testing/kafka-test.ts';
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
  const gauge = new LagGauge(slow, `test-${randomUUID()}`, messagingMetrics(test.metrics), test.logger);
  gauge.assigned({ [topic]: [0] });
  gauge.start();
  await asked.promise;
  await setImmediate();
  gauge.stop();
  const metric = await test.metrics.registry.getSingleMetric('messaging_lag')?.get();
  expect(metric?.values).toEqual([]);
}, 30_000);
