import type { TopicPartition } from '../message.ts';

/**
 * One membership: from a join of the group, or a claim made again, to the next. Nothing that was begun under one may move offsets under
 * another, since its partitions may be someone else's by then.
 */
export class Assignment {
  readonly #ended = new AbortController();
  /** Aborted when work should no longer be repeated: the assignment ended, or the consumer stops. */
  readonly giveUp: AbortSignal;

  readonly partitions: readonly TopicPartition[];
  /** Whether another claim has ended the one that was made under it. */
  hasLostClaim = false;

  constructor(partitions: readonly TopicPartition[], stopping: AbortSignal) {
    this.partitions = partitions;
    this.giveUp = AbortSignal.any([this.#ended.signal, stopping]);
  }

  get isCurrent(): boolean {
    return !this.#ended.signal.aborted;
  }

  has({ topic, partition }: TopicPartition): boolean {
    return this.partitions.some((one) => one.topic === topic && one.partition === partition);
  }

  end(): void {
    this.#ended.abort();
  }
}
