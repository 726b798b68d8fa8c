import {
  describeError,
  InfrastructureFault,
  offsetAfter,
  type BatchResult,
  type ReceivedMessage,
} from '@paywright/messaging';
import type { Logger } from '@paywright/platform';
import type { ProjectionMetrics } from '../projection-metrics.ts';
import { commitChunk, type ChunkEnd, type CommitOptions } from './commit-chunk.ts';
import { toMirror } from './dead-letters.ts';
import { PartitionOwner } from './partition-owner.ts';
import { readRecords } from './project-records.ts';
import type { Projection, Unhandled } from './projection.ts';
import { isFaultOfRecords } from './refused-rows.ts';

/** A transaction's size: above it the rate rises no more, and a retry repeats more. */
const chunkSize = 1_000;

/** Longer than a group's session: whoever is still handed batches then has the partition, whatever the database says. */
const fencedPatienceMs = 10_000;

export interface FollowerOptions extends CommitOptions {
  /** Of the Kafka cluster: stored offsets count in it alone. */
  readonly clusterId: string;
  readonly logger: Logger;
  readonly metrics: ProjectionMetrics;
}

/**
 * Folds a topic into the read model, so that a record counts once however often it is read or published. Only the
 * database's offset is trusted; Kafka's is for those who watch the lag.
 */
export class TopicFollower<Entry = unknown> {
  readonly #projection: Projection<Entry>;
  readonly #options: FollowerOptions;
  readonly #owners = new Map<number, PartitionOwner>();

  constructor(projection: Projection<Entry>, options: FollowerOptions) {
    this.#projection = projection;
    this.#options = options;
  }

  get topic(): string {
    return this.#projection.topic;
  }

  /**
   * Takes a partition over from whoever had it. The caller reads it from the offset returned.
   * @throws what the database throws
   */
  async claim(partition: number): Promise<string> {
    const owner = await this.#claim(partition);
    owner.readsFrom = owner.claimedAt;
    return owner.claimedAt;
  }

  /**
   * Handles a batch of one partition.
   * @throws InfrastructureFault: what was not committed is to be handed in again
   */
  async handle(messages: readonly ReceivedMessage[]): Promise<BatchResult> {
    const [first] = messages;
    if (first === undefined) return { publish: [], deadLetters: [] };
    try {
      const owner = this.#owners.get(first.partition) ?? (await this.#claim(first.partition));
      return await this.#handleChunks(owner, first.partition, messages);
    } catch (error) {
      if (error instanceof InfrastructureFault) throw error;
      throw new InfrastructureFault(`The read model was not written: ${describeError(error)}`, { cause: error });
    }
  }

  async #claim(partition: number): Promise<PartitionOwner> {
    const { pool, clusterId, defects, metrics } = this.#options;
    const owner = await PartitionOwner.claim(pool, { topic: this.topic, partition }, clusterId, defects);
    this.#owners.set(partition, owner);
    metrics.blockedKeys(this.topic, partition, owner.blocked.size);
    return owner;
  }

  async #handleChunks(
    owner: PartitionOwner,
    partition: number,
    messages: readonly ReceivedMessage[],
  ): Promise<BatchResult> {
    const { logger, metrics } = this.#options;
    const unhandled: Unhandled[] = [];
    for (let start = 0; start < messages.length; start += chunkSize) {
      const end = await this.#projectChunk(owner, messages.slice(start, start + chunkSize));
      if (end.kind === 'fenced') this.#giveWay(owner, partition);
      if (end.kind === 'ahead') {
        logger.warn({ topic: this.topic, partition, offset: end.next }, 'Kafka is ahead of the database: reading back');
        return { publish: [], deadLetters: toMirror(unhandled), rewindTo: end.next };
      }
      unhandled.push(...end.unhandled);
    }
    owner.readsFrom = offsetAfter(messages.at(-1)?.offset ?? '-1');
    metrics.followed(messages);
    metrics.blockedKeys(this.topic, partition, owner.blocked.size);
    return { publish: [], deadLetters: toMirror(unhandled) };
  }

  /**
   * Another instance has claimed the partition. Nothing is written, and the batch is left to the group, which
   * ends this assignment; unless it does not, since the database was restored from before the claim.
   */
  #giveWay(owner: PartitionOwner, partition: number): never {
    const now = this.#options.clock.now();
    owner.fencedSince ??= now;
    if (now - owner.fencedSince > fencedPatienceMs) this.#owners.delete(partition);
    throw new InfrastructureFault(`Partition ${partition} of ${this.topic} has another owner`);
  }

  /** A chunk that the database refuses is halved until the record is found that it refuses. */
  async #projectChunk(owner: PartitionOwner, messages: readonly ReceivedMessage[]): Promise<ChunkEnd> {
    try {
      return await commitChunk(this.#projection, owner, readRecords(this.#projection, messages), this.#options);
    } catch (error) {
      if (!isFaultOfRecords(error)) throw error;
      const [message] = messages;
      const reason = `The read model refuses it: ${describeError(error)}`;
      if (message && messages.length === 1)
        return commitChunk(this.#projection, owner, [{ message, reason }], this.#options);
      const middle = Math.ceil(messages.length / 2);
      const first = await this.#projectChunk(owner, messages.slice(0, middle));
      if (first.kind !== 'done') return first;
      const second = await this.#projectChunk(owner, messages.slice(middle));
      if (second.kind !== 'done') return second;
      return { kind: 'done', unhandled: [...first.unhandled, ...second.unhandled] };
    }
  }
}
