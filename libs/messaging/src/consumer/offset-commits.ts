import type { Consumer } from 'kafkajs';
import type { Logger } from '@paywright/platform';
import { describeError } from '../errors.ts';
import type { TopicPartition } from '../message.ts';
import type { Assignment } from './assignment.ts';
import { laneOf } from './partition-control.ts';

interface Position extends TopicPartition {
  /** The offset to read next. */
  readonly next: string;
  readonly assignment: Assignment;
}

interface Commit {
  readonly position: Position;
  isAcknowledged: boolean;
}

const intervalMs = 200;

/**
 * Commits offsets on a timer. A lost commit costs repeats, which everybody absorbs; a commit a batch costs a round trip. What
 * was acknowledged is remembered: a coordinator may lose it, and where no message follows nothing else would be committed.
 */
export class OffsetCommits {
  readonly #consumer: Consumer;
  readonly #logger: Logger;
  /** By partition: the last one. */
  readonly #commits = new Map<string, Commit>();
  #timer: NodeJS.Timeout | undefined;
  #committing: Promise<void> | null = null;

  constructor(consumer: Consumer, logger: Logger) {
    this.#consumer = consumer;
    this.#logger = logger;
  }

  start(): void {
    this.#timer = setInterval(() => void this.commit(), intervalMs);
  }

  /** Commits what is left. Never rejects. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#committing;
    await this.commit();
  }

  /** Everything before `next` is handled and its results are acknowledged. */
  handled(position: Position): void {
    this.#commits.set(laneOf(position), { position, isAcknowledged: false });
  }

  /** As `handled`, where no more than that is handled. */
  handledAtLeast(position: Position): void {
    const last = this.#commits.get(laneOf(position))?.position;
    if (last?.assignment.isCurrent && BigInt(last.next) >= BigInt(position.next)) return;
    this.handled(position);
  }

  /** What the group's coordinator has acknowledged last under the current assignment. */
  acknowledged(place: TopicPartition): bigint | undefined {
    const { position, isAcknowledged } = this.#commits.get(laneOf(place)) ?? {};
    return isAcknowledged && position?.assignment.isCurrent ? BigInt(position.next) : undefined;
  }

  /** Call it where the group has less than what was acknowledged: the next commit has it again. */
  commitAgain(place: TopicPartition): void {
    const commit = this.#commits.get(laneOf(place));
    if (commit) commit.isAcknowledged = false;
  }

  /** Commits what is handled under the current assignment; one request at a time. Never rejects. */
  async commit(): Promise<void> {
    this.#committing ??= this.#commit().finally(() => (this.#committing = null));
    await this.#committing;
  }

  async #commit(): Promise<void> {
    for (const [lane, { position }] of this.#commits) if (!position.assignment.isCurrent) this.#commits.delete(lane);
    const commits = [...this.#commits.values()].filter(({ isAcknowledged }) => !isAcknowledged);
    if (commits.length === 0) return;
    try {
      await this.#consumer.commitOffsets(
        commits.map(({ position: { topic, partition, next } }) => ({ topic, partition, offset: next })),
      );
      for (const commit of commits) commit.isAcknowledged = true;
    } catch (error) {
      this.#logger.debug({ error: describeError(error) }, 'Offsets were not committed; the next commit has them');
    }
  }
}
