import type { BatchResult, PartitionStart, ReceivedMessage, TopicPartition } from '@paywright/messaging';

/** What is asked of the follower of a topic. */
interface Follower {
  readonly topic: string;
  claim(partition: number): Promise<string>;
  handle(messages: readonly ReceivedMessage[]): Promise<BatchResult>;
}

/** The followers of the read model, by topic. */
export class TopicFollowers {
  readonly #byTopic: ReadonlyMap<string, Follower>;

  constructor(followers: readonly Follower[]) {
    this.#byTopic = new Map(followers.map((follower) => [follower.topic, follower]));
  }

  /**
   * Takes over the partitions that the group gave to this instance.
   * @returns where the database says to read each of them from
   */
  claim(partitions: readonly TopicPartition[]): Promise<readonly PartitionStart[]> {
    return Promise.all(
      partitions.map(async ({ topic, partition }) => ({
        topic,
        partition,
        offset: await this.#of(topic).claim(partition),
      })),
    );
  }

  /** @param messages of one topic, at least one */
  handle(messages: readonly ReceivedMessage[]): Promise<BatchResult> {
    return this.#of(messages[0]?.topic ?? '').handle(messages);
  }

  #of(topic: string): Follower {
    const follower = this.#byTopic.get(topic);
    if (!follower) throw new Error(`Nobody follows ${topic}`);
    return follower;
  }
}
