import { readTopic, withAdmin, type ReceivedMessage } from '@paywright/messaging/topics';
import { connectToKafka } from './connect-to-kafka.ts';
import type { Stack } from './stack.ts';

/** Every record of a topic as it lies there, of all partitions in the order in which the brokers took them. */
export async function recordsOf(stack: Stack, topic: string): Promise<readonly ReceivedMessage[]> {
  const records: ReceivedMessage[] = [];
  await readTopic(connectToKafka(stack), topic, (record) => void records.push(record));
  return records.sort((one, other) => one.timestamp - other.timestamp);
}

/** Every record of several topics; side by side, since a reader takes a third of a second to join its group and to leave. */
export async function recordsOfAll(
  stack: Stack,
  topics: readonly string[],
): Promise<readonly (readonly [topic: string, records: readonly ReceivedMessage[]])[]> {
  return Promise.all(topics.map(async (topic) => [topic, await recordsOf(stack, topic)] as const));
}

/** Appends records to a topic as they are, past everything that would check them. */
export async function append(
  stack: Stack,
  topic: string,
  records: readonly Pick<ReceivedMessage, 'key' | 'headers' | 'value'>[],
): Promise<void> {
  const producer = connectToKafka(stack).client.producer({ allowAutoTopicCreation: false });
  await producer.connect();
  try {
    await producer.send({ topic, acks: -1, messages: records.map((record) => ({ ...record })) });
  } finally {
    await producer.disconnect();
  }
}

export async function topicNames(stack: Stack): Promise<readonly string[]> {
  const names = await withAdmin(connectToKafka(stack), (admin) => admin.listTopics());
  return names.filter((topic) => !topic.startsWith('__'));
}
