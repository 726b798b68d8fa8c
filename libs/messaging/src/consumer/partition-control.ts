import type { Consumer } from 'kafkajs';
import type { Logger } from '@paywright/platform';
import { describeError } from '../errors.ts';
import type { PartitionStart, TopicPartition } from '../message.ts';

export const laneOf = ({ topic, partition }: TopicPartition): string => `${topic}/${partition}`;

/**
 * Steers the fetch loop. Never throws: between a crash and its restart there is no group to act on, and the next one
 * reads every partition from its commit, unpaused.
 */
export class PartitionControl {
  readonly #consumer: Consumer;
  readonly #logger: Logger;

  constructor(consumer: Consumer, logger: Logger) {
    this.#consumer = consumer;
    this.#logger = logger;
  }

  /** Under the assignment that has the partition only: kafkajs keeps a seek elsewhere until the partition returns. */
  seek(start: PartitionStart): void {
    this.#whileRunning(() => this.#consumer.seek(start));
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
