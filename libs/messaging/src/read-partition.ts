import { randomUUID } from 'node:crypto';
import type { EachBatchPayload } from 'kafkajs';
import type { KafkaConnection } from './connection/kafka-connection.ts';
import { openConsumer } from './consumer/open-consumer.ts';
import { receivedMessages } from './consumer/received-messages.ts';
import { untilCoordinated } from './consumer/until-coordinated.ts';
import { endsWithin } from './back-off.ts';
import { InfrastructureFault } from './errors.ts';
import { offsetAfter, type PartitionStart, type ReceivedMessage, type TopicPartition } from './message.ts';

const withinMs = 20_000;

/**
 * The record at that place; null if the topic holds it no more, by its retention or because it was compacted.
 * @throws InfrastructureFault if the broker does not show it in time
 */
export async function findRecord(kafka: KafkaConnection, start: PartitionStart): Promise<ReceivedMessage | null> {
  let found: ReceivedMessage | null = null;
  await readPartition(kafka, start, (message) => {
    if (message.offset === start.offset) found = message;
    return false;
  });
  return found;
}

/**
 * Shows the records of a partition from an offset on, or from its first one behind it, to the end that it has now.
 * @param take returns whether it wants more
 * @throws InfrastructureFault if the broker does not show them in time
 */
export async function readPartition(
  kafka: KafkaConnection,
  start: PartitionStart,
  take: (message: ReceivedMessage) => boolean,
): Promise<void> {
  const group = `read-partition-${randomUUID()}`;
  const range = await rangeOf(kafka, start, group);
  const from = BigInt(start.offset) > range.low ? BigInt(start.offset) : range.low;
  if (from >= range.high) return;

  const done = Promise.withResolvers<void>();
  const ended = () => done.resolve();
  const consumer = openConsumer({ kafka, group, onCrash: (final) => final && done.reject(unread(start)) });
  const { topic, partition } = start;
  const show = ({ batch }: EachBatchPayload) => {
    if (batch.partition !== partition) return;
    for (const message of receivedMessages(batch)) {
      if (BigInt(message.offset) < from || BigInt(message.offset) >= range.high) continue;
      if (!take(message)) return ended();
    }
    if (BigInt(offsetAfter(batch.lastOffset())) >= range.high) ended();
  };
  consumer.on(consumer.events.GROUP_JOIN, () => consumer.seek({ topic, partition, offset: String(from) }));
  try {
    await consumer.connect();
    await consumer.subscribe({ topics: [topic], fromBeginning: false });
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      eachBatch: async (payload) => {
        show(payload);
        payload.resolveOffset(payload.batch.lastOffset());
      },
    });
    if (!(await endsWithin(withinMs, done.promise))) throw unread(start);
  } finally {
    await consumer.disconnect();
  }
}

const unread = ({ topic, partition, offset }: PartitionStart) =>
  new InfrastructureFault(`The broker did not show ${topic}/${partition} from ${offset} on.`);

/** The first offset that the partition holds, and the one behind its last. */
async function rangeOf(kafka: KafkaConnection, { topic, partition }: TopicPartition, group: string) {
  const admin = kafka.client.admin();
  await admin.connect();
  try {
    const offsets = await admin.fetchTopicOffsets(topic);
    await untilCoordinated(admin, group);
    const of = offsets.find((one) => one.partition === partition);
    return { low: BigInt(of?.low ?? 0), high: BigInt(of?.high ?? 0) };
  } finally {
    await admin.disconnect();
  }
}
