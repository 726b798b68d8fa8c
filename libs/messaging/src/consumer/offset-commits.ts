import type { Consumer } from 'kafkajs';
import type { Logger } from '@paywright/platform';
import { describeError } from '../errors.ts';
import type { Assignment } from './assignment.ts';

interface Position {
  readonly topic: string;
  readonly partition: number;
  /** The offset to read next. */
  readonly next: string;
  readonly assignment: Assignment;
}

const intervalMs = 200;

/** Commits offsets on a timer. A lost commit costs repeats, which everybody absorbs; a commit a batch costs a round trip. */
export class OffsetCommits {
  readonly #consumer: Consumer;
  readonly #logger: Logger;
  readonly #done = new Map<string, Position>();
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
    this.#done.set(`${position.topic}/${position.partition}`, position);
  }

  /** Commits what is handled under the current assignment; one request at a time. Never rejects. */
  async commit(): Promise<void> {
    this.#committing ??= this.#commit().finally(() => (this.#committing = null));
    await this.#committing;
  }

  async #commit(): Promise<void> {
    for (const [lane, { assignment }] of this.#done) if (!assignment.isCurrent) this.#done.delete(lane);
    const positions = [...this.#done];
    if (positions.length === 0) return;
    try {
      await this.#consumer.commitOffsets(
        positions.map(([, { topic, partition, next }]) => ({ topic, partition, offset: next })),
      );
      for (const [lane, position] of positions) if (this.#done.get(lane) === position) this.#done.delete(lane);
    } catch (error) {
      this.#logger.debug({ error: describeError(error) }, 'Offsets were not committed; the next commit has them');
    }
  }
}
