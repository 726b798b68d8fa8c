import type { KafkaConnection } from './connection/kafka-connection.ts';
import { patiently } from './connection/patiently.ts';
import type { TopicPartition } from './message.ts';

/** What a partition holds: the offset of its first record, and the one behind its last. */
export interface PartitionRange extends TopicPartition {
  readonly first: bigint;
  readonly end: bigint;
}

/** The ranges of all partitions of the topics, as they are now. @throws if a topic does not exist */
export async function readRanges(
  { client }: KafkaConnection,
  topics: readonly string[],
): Promise<readonly PartitionRange[]> {
  const admin = client.admin();
  await admin.connect();
  try {
    const ranges = await Promise.all(
      topics.map(async (topic) =>
        (await patiently(() => admin.fetchTopicOffsets(topic))).map(({ partition, low, high }) => ({
          topic,
          partition,
          first: BigInt(low),
          end: BigInt(high),
        })),
      ),
    );
    return ranges.flat();
  } finally {
    await admin.disconnect();
  }
}
