import { groups, topics } from '@paywright/contracts';
import { databaseAnswers } from '@paywright/event-sourcing';
import {
  BatchConsumer,
  type BatchHandler,
  type CoalescingProducer,
  type Failpoint,
  type KafkaConnection,
} from '@paywright/messaging';
import type { Clock, HealthCheck, Logger, Metrics } from '@paywright/platform';
import type pg from 'pg';
import type { Projection } from '../following/projection.ts';
import { DeadLetterCounts } from './dead-letter-counts.ts';
import { DeadLetterDesk } from './dead-letter-desk.ts';
import { SettledLetters } from './settled-letters.ts';
import { sourceLog } from './source-log.ts';
import { letterTopics, takeLetters } from './take-letters.ts';

export interface DeadLetterContext {
  readonly kafka: KafkaConnection;
  readonly producer: CoalescingProducer;
  readonly pool: pg.Pool;
  readonly projections: readonly Projection[];
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly failpoint: Failpoint;
}

export interface OpenDeadLetterDesk {
  readonly check: HealthCheck;
  /** Resolves when dead letters and commands about them are taken. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

const publishWithinMs = 10_000;
const restMs = 20;

/** Takes what the group reads: dead letters, or commands about them. */
export function deadLetterHandler(desk: DeadLetterDesk, pool: pg.Pool, counts: DeadLetterCounts): BatchHandler {
  return async (messages) => {
    const isCommand = messages[0]?.topic === topics.deadLetterCommands;
    const result = isCommand ? await desk.handle(messages) : await takeLetters(pool, messages);
    await counts.refresh();
    return result;
  };
}

/** Puts together what keeps the dead letters of all groups, and acts on them as operators ask. */
export function openDeadLetterDesk(context: DeadLetterContext): OpenDeadLetterDesk {
  const { kafka, producer, pool, clock, metrics, logger, failpoint } = context;
  const counts = new DeadLetterCounts(pool, metrics);
  const desk = new DeadLetterDesk({
    ...context,
    source: sourceLog(kafka),
    publish: (messages) => producer.sendWithDeadline(messages, publishWithinMs),
  });
  const consumer = new BatchConsumer({
    kafka,
    producer,
    metrics,
    failpoint,
    group: groups.deadLetters,
    topic: [topics.deadLetterCommands, ...letterTopics],
    carries: 'commands',
    restMs: () => restMs,
    handler: deadLetterHandler(desk, pool, counts),
    isDatabaseUp: databaseAnswers(pool),
  });
  const stops: (() => Promise<void>)[] = [];
  return {
    check: consumer,
    start: async () => {
      await consumer.start();
      stops.push(counts.keepFresh(logger), new SettledLetters(pool, clock).keepForgetting(logger));
    },
    stop: async () => {
      await Promise.all([consumer.stop(), ...stops.splice(0).map((stop) => stop())]);
    },
  };
}
