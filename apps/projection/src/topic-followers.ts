import {
  type BatchHandler,
  type BatchResult,
  type PartitionStart,
  type ReceivedMessage,
  type Rewind,
  traceBatches,
  type TopicPartition,
} from '@paywright/messaging';
import { noTracer, type Tracer } from '@paywright/platform';

/** What is asked of the follower of a topic. */
interface Follower {
  readonly topic: string;
  readonly awaited: boolean;
  claim(partition: number, anew: boolean): Promise<string>;
  findLost(partitions: readonly number[]): Promise<readonly Rewind[]>;
  handle(messages: readonly ReceivedMessage[]): Promise<BatchResult>;
}

/** How long more of a topic gathers: less where a client waits until the read model shows its write. */
const restMs = { awaited: 2, unawaited: 40 };

/** The followers of the read model, by topic. */
export class TopicFollowers {
  readonly #byTopic: ReadonlyMap<string, Follower>;
  /** Takes messages of one topic, at least one. */
  readonly handle: BatchHandler;

  constructor(followers: readonly Follower[], tracer: Tracer = noTracer) {
    this.#byTopic = new Map(followers.map((follower) => [follower.topic, follower]));
    this.handle = traceBatches(tracer, 'project', (messages) => this.#of(messages[0]?.topic ?? '').handle(messages));
  }

  /**
   * Takes over the partitions that the group gave to this instance.
   * @param anew those of them that end before what was read of them
   * @returns where the database says to read each of them from
   */
  async claim(
    partitions: readonly TopicPartition[],
    anew: readonly TopicPartition[] = [],
  ): Promise<readonly PartitionStart[]> {
    const isAnew = (place: TopicPartition) =>
      anew.some(({ topic, partition }) => topic === place.topic && partition === place.partition);
    const claims = partitions.map(async (place) => ({
      ...place,
      offset: await this.#of(place.topic).claim(place.partition, isAnew(place)),
    }));
    await Promise.allSettled(claims); // none is to be made behind the end of this one
    return Promise.all(claims);
  }

  /**
   * Of these partitions those whose handled records the database has lost.
   * @returns where to read each of them from; each loss is told until that was done
   */
  async findLost(partitions: readonly TopicPartition[]): Promise<readonly Rewind[]> {
    const lost: Rewind[] = [];
    for (const [topic, ofOne] of Map.groupBy(partitions, ({ topic }) => topic))
      lost.push(...(await this.#of(topic).findLost(ofOne.map(({ partition }) => partition))));
    return lost;
  }

  /** How long more of a topic may gather before it is handled, in milliseconds. */
  restMs(topic: string): number {
    return this.#of(topic).awaited ? restMs.awaited : restMs.unawaited;
  }

  #of(topic: string): Follower {
    const follower = this.#byTopic.get(topic);
    if (!follower) throw new Error(`Nobody follows ${topic}`);
    return follower;
  }
}
