import { setTimeout as delay } from 'node:timers/promises';
import type { AppSnapshot } from '@paywright/contracts';
import { CoalescingProducer, readTopic, type OutgoingMessage } from '@paywright/messaging';
import { createTopics } from '@paywright/messaging/topics';
import { createLogger, Metrics } from '@paywright/platform';
import { LogEntry, ModelRecord, SnapshotParts, type PublishedSnapshot } from '@paywright/selection-models';
import { issuedAt } from '@paywright/selection-models/testing';
import { testDatabase, testTopics, type TestDatabase, type TestTopics } from '@paywright/testing';
import { openLearner, type Learner, type LearnerTopics } from '../open-learner.ts';
import { EventClock } from './clocks.ts';
import { catalogSnapshot } from './learner-events.ts';

const partitions = {
  'catalog.snapshots': 1,
  'selection.events': 3,
  'impression.events': 3,
  'purchase.events': 3,
  'selection.learning': 2,
  'selection.models': 1,
} as const;
type Topic = keyof typeof partitions;

/** A learner's world of its own: real Kafka, real Postgres, and a clock that is moved by hand. */
export class LearnerStage implements AsyncDisposable {
  readonly clock = new EventClock(issuedAt);
  readonly database: TestDatabase;
  readonly #topics: TestTopics<Topic>;
  readonly #producer: CoalescingProducer;
  readonly #learners: Learner[] = [];

  private constructor(database: TestDatabase, topics: TestTopics<Topic>, producer: CoalescingProducer) {
    this.database = database;
    this.#topics = topics;
    this.#producer = producer;
  }

  static async open(): Promise<LearnerStage> {
    const [database, topics] = await Promise.all([testDatabase('selection-learning'), testTopics(partitions)]);
    const producer = new CoalescingProducer({ kafka: topics.connection, metrics: new Metrics() });
    const stage = new LearnerStage(database, topics, producer);
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
      pressure: () => 0, // a busy machine would let a rebuild take its time
    });
    await learner.start();
    this.#learners.push(learner);
    return metrics;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#learners.splice(0).map((learner) => learner.stop()));
  }

  /** The keys of `selection.models` that compaction keeps. */
  async modelKeys(): Promise<readonly string[]> {
    const keys = new Set<string>();
    await readTopic(this.#topics.connection, this.topics.selectionModels, ({ key, value }) => {
      if (value === null) keys.delete(key ?? '');
      else keys.add(key ?? '');
    });
    return [...keys];
  }

  /** All snapshots that were published, in order. */
  async snapshots(): Promise<readonly PublishedSnapshot[]> {
    const parts = new SnapshotParts();
    const whole: PublishedSnapshot[] = [];
    await readTopic(this.#topics.connection, this.topics.selectionModels, ({ value }) => {
      if (value === null) return;
      const record = ModelRecord.parse(JSON.parse(String(value)));
      const snapshot = record.kind === 'snapshot' ? parts.add(record) : null;
      if (snapshot !== null) whole.push(snapshot);
    });
    return whole;
  }

  /** The logs of models. */
  async log(): Promise<readonly LogEntry[]> {
    const entries: LogEntry[] = [];
    await readTopic(this.#topics.connection, this.topics.selectionLearning, ({ value }) => {
      entries.push(LogEntry.parse(JSON.parse(String(value))));
    });
    return entries;
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
    await this.#topics[Symbol.asyncDispose]();
    await this.database[Symbol.asyncDispose]();
  }
}

/** What is found in the end. @throws if nothing is within two minutes: a bound for what hangs, on a busy machine too */
export async function until<Value>(find: () => Promise<Value | undefined>): Promise<Value> {
  for (const end = performance.now() + 120_000; performance.now() < end; await delay(200)) {
    const found = await find();
    if (found !== undefined) return found;
  }
  throw new Error('It did not come about.');
}
