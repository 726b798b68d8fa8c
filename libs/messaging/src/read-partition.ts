import { randomUUID } from 'node:crypto';
import type { EachBatchPayload } from 'kafkajs';
import type { KafkaConnection } from './connection/kafka-connection.ts';
import { openConsumer, readsOnceMs } from './consumer/open-consumer.ts';
import { receivedMessages } from './consumer/received-messages.ts';
import { untilCoordinated } from './consumer/until-coordinated.ts';
import { endsWithin } from './back-off.ts';
import { InfrastructureFault } from './errors.ts';
import { offsetAfter, type PartitionStart, type ReceivedMessage, type TopicPartition } from './message.ts';

/** So long nothing is shown: then the broker does not show it. */
const patienceMs = 20_000;
/** A reader that takes its time beats on meanwhile, or its group would take it for dead. */
const messagesABeat = 500;

/** Where to read from, and the offset to end before: the end that the partition has now if that is absent, or further on. */
export interface PartitionPart extends PartitionStart {
  readonly end?: string;
}

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
 * Shows the records of a partition from an offset on, or from its first one behind it, each once and one after the other.
 * @param take returns whether it wants more; its rejection ends the reading, and is passed on
 * @throws InfrastructureFault if the broker does not show them in time
 */
export async function readPartition(
  kafka: KafkaConnection,
  start: PartitionPart,
  take: (message: ReceivedMessage) => boolean | Promise<boolean>,
  withinMs = patienceMs,
): Promise<void> {
  const group = `read-partition-${randomUUID()}`;
  const range = await rangeOf(kafka, start, group);
  let next = BigInt(start.offset) > range.low ? BigInt(start.offset) : range.low;
  const end = start.end !== undefined && BigInt(start.end) < range.high ? BigInt(start.end) : range.high;
  if (next >= end) return;

  const done = Promise.withResolvers<void>();
  let isDone = false;
  const ended = () => {
    isDone = true;
    done.resolve();
  };
  let taken = 0;
  const onCrash = (final: boolean) => void (final && done.reject(unread(start)));
  const consumer = openConsumer({ kafka, group, mostWaitMs: readsOnceMs, onCrash });
  const { topic, partition } = start;
  const show = async (payload: EachBatchPayload) => {
    const { batch } = payload;
    if (batch.partition !== partition) return;
    for (const message of receivedMessages(batch)) {
      const offset = BigInt(message.offset);
      if (offset < next || offset >= end) continue;
      if (isDone || !(await took(message))) return ended();
      next = offset + 1n;
      if (++taken % messagesABeat === 0) await payload.heartbeat();
    }
    const behind = BigInt(offsetAfter(batch.lastOffset()));
    if (behind > next) next = behind;
    if (next >= end) ended();
  };
  // Nothing of ours is thrown out of eachBatch: kafkajs would show the batch again.
  const took = async (message: ReceivedMessage) => {
    try {
      return await take(message);
    } catch (error) {
      done.reject(error);
      return false;
    }
  };
  consumer.on(consumer.events.GROUP_JOIN, () => consumer.seek({ topic, partition, offset: String(next) }));
  try {
    await consumer.connect();
    await consumer.subscribe({ topics: [topic], fromBeginning: false });
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      eachBatch: async (payload) => {
        await show(payload);
        payload.resolveOffset(payload.batch.lastOffset());
      },
    });
    for (let seen = next; !(await endsWithin(withinMs, done.promise)); seen = next) {
      if (seen === next) throw unread(start);
    }
  } finally {
    isDone = true; // whoever is told that it failed may begin anew, and is shown nothing more by this one
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
