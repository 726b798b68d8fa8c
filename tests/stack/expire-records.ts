import { withAdmin } from '@paywright/messaging/topics';
import { connectToKafka } from './connect-to-kafka.ts';
import type { Stack } from './stack.ts';

/** Lets a topic's records go, as its retention does once they are old. */
export async function expireRecords(stack: Stack, topic: string): Promise<void> {
  await withAdmin(connectToKafka(stack), async (admin) => {
    const offsets = await admin.fetchTopicOffsets(topic);
    const partitions = offsets.filter(({ low, high }) => low !== high);
    await admin.deleteTopicRecords({
      topic,
      partitions: partitions.map(({ partition, high }) => ({ partition, offset: high })),
    });
  });
}

/**
 * Lets the broker compact a topic as soon as it looks, five times a second instead of every 15 s; a segment is closed by
 * the next record that comes to it.
 */
export async function compactSoon(stack: Stack, topic: string): Promise<void> {
  const config = { 'cleanup.policy': 'compact', 'segment.ms': '100', 'min.cleanable.dirty.ratio': '0.001' };
  const ofTopic = { type: 2, name: topic, configEntries: entriesOf(config) };
  const cleaner = entriesOf({ 'log.cleaner.backoff.ms': '200' });
  await withAdmin(connectToKafka(stack), async (admin) => {
    const { brokers } = await admin.describeCluster();
    const ofBrokers = brokers.map(({ nodeId }) => ({ type: 4, name: `${nodeId}`, configEntries: cleaner }));
    await admin.alterConfigs({ validateOnly: false, resources: [ofTopic, ...ofBrokers] });
  });
}

const entriesOf = (config: Readonly<Record<string, string>>) =>
  Object.entries(config).map(([name, value]) => ({ name, value }));
