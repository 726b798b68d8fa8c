import { groups } from '@paywright/contracts';
import {
  BatchConsumer,
  CoalescingProducer,
  type BatchResult,
  type Failpoint,
  type KafkaConnection,
  type ReceivedMessage,
} from '@paywright/messaging';
import { Metrics, type Clock, type Logger } from '@paywright/platform';
import type pg from 'pg';
import type { Projection } from '../following/projection.ts';
import { TopicFollower } from '../following/topic-follower.ts';
import { ProjectionMetrics } from '../projection-metrics.ts';
import { TopicFollowers } from '../topic-followers.ts';

/** Of its own: the projection keeps its partitions. */
const group = `${groups.projection}-rebuild`;
const nothing: BatchResult = { publish: [], deadLetters: [] };

export interface FoldingOptions {
  readonly kafka: KafkaConnection;
  /** For the schema that is made. */
  readonly pool: pg.Pool;
  readonly projections: readonly Projection[];
  readonly clusterId: string;
  /** The object id of its table of offsets: it writes to no other schema that has its name later. */
  readonly table: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly failpoint: Failpoint;
}

/**
 * Folds topics from their beginning, as the projection does, and goes on with what comes: all that are given to it, where
 * several do so. It goes on where it was ended or killed, since the offsets are in the same schema. It publishes nothing: what
 * was a dead letter has been told.
 *
 * Nobody asks every few seconds whether the database lost what was folded in, as the projection does: a crash ends the
 * connection that each process of a rebuild has beside it, and the process with it; and nothing is switched before offsets are
 * level.
 */
export class Folding {
  readonly #consumer: BatchConsumer;
  readonly #producer: CoalescingProducer;
  readonly #followers: TopicFollowers;

  constructor({ kafka, projections, ...options }: FoldingOptions) {
    const metrics = new Metrics();
    const { logger, clock } = options;
    const followed = { ...options, metrics: new ProjectionMetrics(metrics, clock), defects: new Set<never>() };
    this.#followers = new TopicFollowers(projections.map((projection) => new TopicFollower(projection, followed)));
    this.#producer = new CoalescingProducer({ kafka, metrics });
    this.#consumer = new BatchConsumer({
      kafka: { ...kafka, logger },
      group,
      topic: projections.map(({ topic }) => topic),
      carries: 'events',
      producer: this.#producer,
      metrics,
      claim: (partitions, anew) => this.#followers.claim(partitions, anew),
      handler: (messages) => this.#handle(messages),
    });
  }

  /** Waits for brokers, however long none answers. @throws what waiting does not change; the signal's reason */
  async start(until: AbortSignal): Promise<void> {
    const stop = () => void this.#consumer.stop();
    until.addEventListener('abort', stop, { once: true });
    try {
      await this.#producer.start(until);
      await this.#consumer.start();
      until.throwIfAborted();
    } finally {
      until.removeEventListener('abort', stop);
    }
  }

  async stop(): Promise<void> {
    await this.#consumer.stop();
    await this.#producer.close();
  }

  async #handle(messages: readonly ReceivedMessage[]): Promise<BatchResult> {
    const { rewinds } = await this.#followers.handle(messages);
    return { ...nothing, ...(rewinds && { rewinds }) };
  }
}
