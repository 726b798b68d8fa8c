import type { Admin } from 'kafkajs';
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
  kafka: KafkaConnection,
  topics: readonly string[],
): Promise<readonly PartitionRange[]> {
  const reader = new RangeReader(kafka, topics);
  await reader.start();
  try {
    return await reader.read();
  } finally {
    await reader.stop();
  }
}

/** Reads the ranges of topics over and over, by connections that it keeps. */
export class RangeReader {
  readonly #admin: Admin;
  readonly #topics: readonly string[];

  constructor({ client }: KafkaConnection, topics: readonly string[]) {
    this.#admin = client.admin();
    this.#topics = topics;
  }

  start(): Promise<void> {
    return this.#admin.connect();
  }

  /** @throws if a topic does not exist */
  async read(): Promise<readonly PartitionRange[]> {
    const ranges = this.#topics.map(async (topic) =>
      (await patiently(() => this.#admin.fetchTopicOffsets(topic))).map(({ partition, low, high }) => ({
        topic,
        partition,
        first: BigInt(low),
        end: BigInt(high),
      })),
    );
    return (await Promise.all(ranges)).flat();
  }

  stop(): Promise<void> {
    return this.#admin.disconnect();
  }
}
