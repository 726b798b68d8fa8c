import type { Consumer } from 'kafkajs';
import type { Logger } from '@paywright/platform';
import { describeError } from '../errors.ts';
import { offsetAfter, type PartitionStart, type TopicPartition } from '../message.ts';

export const laneOf = ({ topic, partition }: TopicPartition): string => `${topic}/${partition}`;

/**
 * Steers the fetch loop, and knows where it is. Never throws: between a crash and its restart there is no group to act on,
 * and the next one reads every partition from its commit, unpaused.
 */
export class PartitionControl {
  readonly #consumer: Consumer;
  readonly #logger: Logger;
  /** By partition: the offset to be read next, as far as it was said under this membership. */
  readonly #next = new Map<string, bigint>();

  constructor(consumer: Consumer, logger: Logger) {
    this.#consumer = consumer;
    this.#logger = logger;
  }

  /** Under the assignment that has the partition only: kafkajs keeps a seek elsewhere until the partition returns. */
  seek(start: PartitionStart): void {
    this.#next.set(laneOf(start), BigInt(start.offset));
    this.#whileRunning(() => this.#consumer.seek(start));
  }

  /** Call it at a join of the group: where partitions are read from is not known from here on. */
  forget(): void {
    this.#next.clear();
  }

  /** @param offset of the last message that was fetched */
  fetched(place: TopicPartition, offset: string): void {
    this.#next.set(laneOf(place), BigInt(offsetAfter(offset)));
  }

  /** The offset to be read next; undefined until it was sought, or something was fetched. */
  next(place: TopicPartition): bigint | undefined {
    return this.#next.get(laneOf(place));
  }

  pause({ topic, partition }: TopicPartition): void {
    this.#whileRunning(() => this.#consumer.pause([{ topic, partitions: [partition] }]));
  }

  resume({ topic, partition }: TopicPartition): void {
    this.#whileRunning(() => this.#consumer.resume([{ topic, partitions: [partition] }]));
  }

  #whileRunning(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#logger.debug({ error: describeError(error) }, 'The consumer is not running');
    }
  }
}
