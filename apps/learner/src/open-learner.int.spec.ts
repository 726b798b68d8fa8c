import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { createTopics } from '@paywright/messaging/topics';
import { CoalescingProducer, type OutgoingMessage, readTopic } from '@paywright/messaging';
import { createLogger, ManualClock, Metrics } from '@paywright/platform';
import { decodeSnapshot } from '@paywright/selection-engine';
import { testDatabase, testTopics, type TestDatabase, type TestTopics } from '@paywright/testing';
import { ModelRecord, type PublishedSnapshot, sha256Of, SnapshotParts } from '@paywright/selection-models';
import { issuedAt } from '@paywright/selection-models/testing';
import { catalogSnapshot, EventLog } from './testing/learner-events.ts';
import { openLearner, type Learner, type LearnerTopics } from './open-learner.ts';

const minute = 60_000;
const hour = 60 * minute;
const logger = createLogger({ service: 'test', level: 'error' });
const names = {
  'catalog.snapshots': 1,
  'selection.events': 3,
  'impression.events': 3,
  'purchase.events': 3,
  'selection.learning': 2,
  'selection.models': 1,
} as const;

let database: TestDatabase;
let topics: TestTopics<keyof typeof names>;
let producer: CoalescingProducer;
let suffix: string;
const learners: Learner[] = [];
/** The time of events stands until it is moved; the machine's goes on. */
class EventClock extends ManualClock {
  override machineNow = () => performance.now();
}
const clock = new EventClock(issuedAt);

beforeAll(async () => {
  database = await testDatabase('selection-learning');
});
afterAll(async () => await database[Symbol.asyncDispose]());
beforeEach(async () => {
  await database.pool.query(
    'truncate consumer_offset, journey, chain, learning_model, checkpoint, model_snapshot, model_report',
  );
  topics = await testTopics(names);
  suffix = topics.nameOf('selection.events').replace('selection.events', '');
  const deadLetters = ['selection-joiner', 'selection-trainer'].map((group) => {
    return { name: `${group}${suffix}.dead-letter`, partitions: 1, config: {} };
  });
  await createTopics(topics.connection, { topics: deadLetters }, { replication: 1 });
  producer = new CoalescingProducer({ kafka: topics.connection, metrics: new Metrics() });
  await producer.connect();
  clock.set(issuedAt);
  await publish([{ topic: 'catalog.snapshots', key: '1', headers: {}, value: JSON.stringify(catalogSnapshot) }]);
});
afterEach(async () => {
  await Promise.all(learners.splice(0).map((learner) => learner.stop()));
  await producer.close();
  await topics[Symbol.asyncDispose]();
});

const publish = (messages: readonly OutgoingMessage[]) =>
  producer.send(messages.map((message) => ({ ...message, topic: topics.nameOf(message.topic as keyof typeof names) })));

async function start(): Promise<Learner> {
  const named: LearnerTopics = {
    catalogSnapshots: topics.nameOf('catalog.snapshots'),
    selectionEvents: topics.nameOf('selection.events'),
    impressionEvents: topics.nameOf('impression.events'),
    purchaseEvents: topics.nameOf('purchase.events'),
    selectionLearning: topics.nameOf('selection.learning'),
    selectionModels: topics.nameOf('selection.models'),
  };
  const learner = await openLearner({
    ...{ kafka: topics.connection, databaseUrl: database.url, clock, logger, metrics: new Metrics(), topics: named },
    groupSuffix: suffix,
    checkpointEveryMs: 500,
  });
  await learner.start();
  learners.push(learner);
  return learner;
}

/** All snapshots that were published, in order. */
async function published(): Promise<readonly PublishedSnapshot[]> {
  const parts = new SnapshotParts();
  const whole: PublishedSnapshot[] = [];
  await readTopic(topics.connection, topics.nameOf('selection.models'), ({ value }) => {
    const record = ModelRecord.parse(JSON.parse(String(value)));
    const snapshot = record.kind === 'snapshot' ? parts.add(record) : null;
    if (snapshot !== null) whole.push(snapshot);
  });
  return whole;
}

async function until<Value>(find: () => Promise<Value | undefined>): Promise<Value> {
  for (let attempt = 0; attempt < 150; attempt++) {
    const found = await find();
    if (found !== undefined) return found;
    await delay(200);
  }
  throw new Error('It did not come about.');
}

/** Forty people see a paywall each; every tenth of them buys. */
function story(): readonly OutgoingMessage[] {
  const events = new EventLog();
  return Array.from({ length: 40 }, (_, index) => {
    const [profile, decision, at] = [`p${index}`, `d${index}`, index * minute];
    const paywall = index % 2 === 0 ? 'calm' : 'bold';
    return [
      events.served(profile, decision, at, paywall),
      events.shown(profile, decision, at + 1_000, index % 2 === 0 ? 1 : 2),
      ...(index % 10 === 0 ? events.bought(profile, `c${index}`, at + 30_000) : []),
    ];
  }).flat();
}

/** Time passes by the clock once it is quiet. @returns the newest snapshot that has learned until then */
async function learnedAt(at: number): Promise<PublishedSnapshot> {
  clock.set(issuedAt + at);
  return until(async () => (await published()).find(({ learnedUntil }) => learnedUntil === issuedAt + at));
}

describe('the learner', () => {
  it('learns from what was published, and keeps what is served by its hash', async () => {
    await start();
    await publish(story());
    const snapshot = await learnedAt(3 * hour);
    const { exposures, arms, catalogRevision } = decodeSnapshot(snapshot.bytes);
    expect({ exposures, catalogRevision, arms: arms.map(({ paywall }) => paywall) }).toEqual({
      exposures: 40,
      catalogRevision: 4,
      arms: ['calm', 'bold'],
    });
    const kept = await database.pool.query<{ bytes: Buffer }>('select bytes from model_snapshot where sha256 = $1', [
      snapshot.sha256,
    ]);
    expect(sha256Of(gunzipSync(kept.rows[0]!.bytes))).toBe(snapshot.sha256);
    const { rows } = await database.pool.query<{ report: string }>('select report from model_report');
    expect(JSON.parse(rows[0]!.report)).toMatchObject({ starts: 4, guard: { factor: 1 } });
  }, 60_000);

  it('learns the same bytes when it is ended and started again on the way', async () => {
    await start();
    const messages = story();
    await publish(messages.slice(0, 60));
    await delay(2_000);
    await learners.splice(0)[0]?.stop();
    await start();
    await publish(messages.slice(60));
    const stopped = await learnedAt(3 * hour);

    // The log is all that a trainer needs: without a checkpoint it learns the same of it again.
    await learners.splice(0)[0]?.stop();
    await database.pool.query('delete from checkpoint');
    await database.pool.query(`update consumer_offset set next_offset = 0 where topic like 'selection.learning%'`);
    await database.pool.query('delete from model_snapshot');
    await start();
    await until(async () => {
      const { rowCount } = await database.pool.query('select from model_snapshot where sha256 = $1', [stopped.sha256]);
      return rowCount === 1 ? true : undefined;
    });
  }, 90_000);
});
