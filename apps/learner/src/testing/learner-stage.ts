import { setTimeout as delay } from 'node:timers/promises';
import type { AppSnapshot } from '@paywright/contracts';
import { CoalescingProducer, type OutgoingMessage } from '@paywright/messaging';
import { createTopics } from '@paywright/messaging/topics';
import { createLogger, Metrics } from '@paywright/platform';
import { LogEntry, ModelRecord, SnapshotParts, type PublishedSnapshot } from '@paywright/selection-models';
import { issuedAt } from '@paywright/selection-models/testing';
import { testDatabase, testTopics, type TestDatabase, type TestTopics } from '@paywright/testing';
import { openLearner, type Learner, type LearnerTopics } from '../open-learner.ts';
import { EventClock } from './clocks.ts';
import { catalogSnapshot } from './learner-events.ts';
import { TopicCopy } from './topic-copy.ts';

const partitions = {
  'catalog.snapshots': 1,
  'selection.events': 3,
  'impression.events': 3,
  'purchase.events': 3,
  'selection.learning': 2,
  'selection.models': 1,
} as const;
type Topic = keyof typeof partitions;

/** Of its learners: tests that let time pass wait for their looks. */
export const lookEveryMs = 40;

/** What learners tell of it. */
interface TopicCopies {
  readonly logs: TopicCopy<typeof LogEntry>;
  readonly models: TopicCopy<typeof ModelRecord>;
}

async function openCopies(topics: TestTopics<Topic>): Promise<TopicCopies> {
  const [logs, models] = await Promise.all([
    TopicCopy.open(topics.connection, topics.nameOf('selection.learning'), LogEntry),
    TopicCopy.open(topics.connection, topics.nameOf('selection.models'), ModelRecord),
  ]);
  return { logs, models };
}

/** A learner's world of its own: real Kafka, real Postgres, and a clock that is moved by hand. */
export class LearnerStage implements AsyncDisposable {
  readonly clock = new EventClock(issuedAt);
  readonly database: TestDatabase;
  readonly #topics: TestTopics<Topic>;
  readonly #producer: CoalescingProducer;
  readonly #told: TopicCopies;
  readonly #learners: Learner[] = [];

  private constructor(
    database: TestDatabase,
    topics: TestTopics<Topic>,
    producer: CoalescingProducer,
    told: TopicCopies,
  ) {
    this.database = database;
    this.#topics = topics;
    this.#producer = producer;
    this.#told = told;
  }

  static async open(): Promise<LearnerStage> {
    const [database, topics] = await Promise.all([testDatabase('selection-learning'), testTopics(partitions)]);
    const producer = new CoalescingProducer({ kafka: topics.connection, metrics: new Metrics() });
    const stage = new LearnerStage(database, topics, producer, await openCopies(topics));
    const deadLetters = ['selection-joiner', 'selection-trainer'].map((group) => {
      return { name: `${group}${stage.groupSuffix}.dead-letter`, partitions: 1, config: {} };
    });
    await createTopics(topics.connection, { topics: deadLetters }, { replication: 1 });
    await producer.connect();
    await stage.tellCatalog(catalogSnapshot);
    return stage;
  }

  async tellCatalog(snapshot: AppSnapshot): Promise<void> {
    const value = JSON.stringify(snapshot);
    await this.publish([{ topic: 'catalog.snapshots', key: '1', headers: {}, value }]);
  }

  get groupSuffix(): string {
    return this.#topics.nameOf('selection.events').replace('selection.events', '');
  }

  get topics(): LearnerTopics {
    return {
      catalogSnapshots: this.#topics.nameOf('catalog.snapshots'),
      selectionEvents: this.#topics.nameOf('selection.events'),
      impressionEvents: this.#topics.nameOf('impression.events'),
      purchaseEvents: this.#topics.nameOf('purchase.events'),
      selectionLearning: this.#topics.nameOf('selection.learning'),
      selectionModels: this.#topics.nameOf('selection.models'),
    };
  }

  /** @param messages of topics by their real names */
  async publish(messages: readonly OutgoingMessage[]): Promise<void> {
    const named = messages.map((message) => ({ ...message, topic: this.#topics.nameOf(message.topic as Topic) }));
    await this.#producer.send(named);
  }

  /**
   * @param rebuildAtMs the time of day; never if it is absent
   * @returns the metrics of the learner
   */
  async start(rebuildAtMs: number | null = null): Promise<Metrics> {
    const metrics = new Metrics();
    const learner = await openLearner({
      kafka: this.#topics.connection,
      databaseUrl: this.database.url,
      ...{ clock: this.clock, metrics, topics: this.topics, groupSuffix: this.groupSuffix, rebuildAtMs },
      logger: createLogger({ service: 'test', level: 'error' }),
      checkpointEveryMs: 500,
      lookEveryMs,
      pressure: () => 0, // a busy machine would let a rebuild take its time
    });
    await learner.start();
    this.#learners.push(learner);
    return metrics;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#learners.splice(0).map((learner) => learner.stop()));
  }

  /** How many of the messages that were published are joined. */
  async joinedMessages(): Promise<number> {
    const { rows } = await this.database.pool.query<{ count: number }>(
      `select coalesce(sum(next_offset), 0)::int as count from consumer_offset where topic not like 'selection.learning%'`,
    );
    return rows[0]?.count ?? 0;
  }

  /** The keys of `selection.models` that compaction keeps. */
  async modelKeys(): Promise<readonly string[]> {
    const keys = new Set<string>();
    for (const { key, value } of await this.#told.models.records()) {
      if (value === null) keys.delete(key);
      else keys.add(key);
    }
    return [...keys];
  }

  /** All snapshots that were published, in order. */
  async snapshots(): Promise<readonly PublishedSnapshot[]> {
    const parts = new SnapshotParts();
    return (await this.#told.models.records()).flatMap(({ value }) => {
      const snapshot = value?.kind === 'snapshot' ? parts.add(value) : null;
      return snapshot ?? [];
    });
  }

  /** The logs of models. */
  async log(): Promise<readonly LogEntry[]> {
    return (await this.#told.logs.records()).flatMap(({ value }) => value ?? []);
  }

  /** Time passes by the clock once it is quiet. @returns the newest snapshot that has learned until then */
  async learnedAt(at: number): Promise<PublishedSnapshot> {
    this.clock.set(issuedAt + at);
    return until(async () =>
      (await this.snapshots()).findLast(({ learnedUntil }) => learnedUntil === this.clock.now()),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await this.#producer.close();
    await Promise.all(Object.values(this.#told).map((copy) => copy[Symbol.asyncDispose]()));
    await this.#topics[Symbol.asyncDispose]();
    await this.database[Symbol.asyncDispose]();
  }
}

/** What is found in the end. @throws if nothing is within two minutes: a bound for what hangs, on a busy machine too */
export async function until<Value>(find: () => Promise<Value | undefined>): Promise<Value> {
  for (const end = performance.now() + 120_000; performance.now() < end; await delay(50)) {
    const found = await find();
    if (found !== undefined) return found;
  }
  throw new Error('It did not come about.');
}
