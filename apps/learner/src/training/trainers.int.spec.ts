import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ClaimLost, type ReceivedMessage } from '@paywright/messaging';
import { createLogger, Metrics } from '@paywright/platform';
import type { LogEntry } from '@paywright/selection-models';
import { learningLog } from '@paywright/selection-models/testing';
import { testDatabase, type TestDatabase } from '@paywright/testing';
import { OwnedPartitions } from '../owned-partitions.ts';
import { CorrectedClock } from '../testing/clocks.ts';
import { ModelLearner } from './model-learner.ts';
import { SnapshotArchive } from './snapshot-archive.ts';
import { Trainers } from './trainers.ts';

const topic = 'selection.learning';
const minute = 60_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase('selection-learning');
});
afterAll(async () => await database[Symbol.asyncDispose]());
beforeEach(() => database.pool.query('truncate consumer_offset, checkpoint, model_snapshot, model_report'));

/** A log in whose second half a rebuild begins. */
const half = 150;
const entries: readonly LogEntry[] = learningLog({ exposures: 240 });
const { at } = entries[200]!;
const log: readonly LogEntry[] = [...entries.slice(0, 200), { type: 'rebuild', at, night: at }, ...entries.slice(200)];

const messagesOf = (partition: number, key: string): readonly ReceivedMessage[] =>
  log.map((entry, offset) => {
    const value = Buffer.from(JSON.stringify(entry));
    return { topic, partition, offset: String(offset), key, headers: {}, timestamp: 0, value };
  });
const messages = messagesOf(0, '1/main');
const broken = { ...messages[0]!, value: Buffer.from('{') };

const partitions = (...numbers: readonly number[]) => numbers.map((partition) => ({ topic, partition }));

/** Holds its visitors up from when it is closed until it is opened. */
class Gate {
  #open = Promise.resolve();
  #arrived = Promise.withResolvers<void>();

  close(): { readonly open: () => void; readonly reached: Promise<void> } {
    const held = Promise.withResolvers<void>();
    this.#arrived = Promise.withResolvers();
    this.#open = held.promise;
    return { open: held.resolve, reached: this.#arrived.promise };
  }

  async pass(): Promise<void> {
    this.#arrived.resolve();
    await this.#open;
  }
}

/** A process that trains; what is stored for rebuilds waits at the gate. */
function trainer({ pool = database.pool } = {}) {
  const gate = new Gate();
  const clock = new CorrectedClock(0);
  const metrics = new Metrics();
  const owned = new OwnedPartitions(database.pool, 'cluster');
  const trainers = new Trainers({
    ...{ pool, partitions: owned, archive: new SnapshotArchive(pool), clock, metrics },
    rebuilds: { begin: () => gate.pass(), end: async (_, learner) => learner },
    logger: createLogger({ service: 'test', level: 'error' }),
  });
  const failures = async () => {
    const counted = await metrics.registry.getSingleMetric('learner_checkpoint_failures_total')?.get();
    return counted?.values.map(({ value }) => value);
  };
  return { trainers, gate, clock, failures };
}

const checkpointOf = (trainers: Trainers) =>
  [...trainers.models()].map(({ learner }) => Buffer.from(learner.checkpoint()).toString('base64'));

function learnedAtOnce(): string {
  const learner = ModelLearner.fresh('1/main');
  for (const entry of log) learner.apply(entry);
  return Buffer.from(learner.checkpoint()).toString('base64');
}

describe('trainers whose partitions are claimed anew while a batch is in hand', () => {
  it('learn all of a log that is read again from before the batch', async () => {
    const { trainers, gate } = trainer();
    await trainers.claim(partitions(0));
    await trainers.handle(messages.slice(0, half));
    const { open, reached } = gate.close();
    const inHand = trainers.handle(messages.slice(half));
    await reached;
    expect(await trainers.claim(partitions(0))).toEqual([{ topic, partition: 0, offset: '0' }]);
    open();
    await expect(inHand).rejects.toThrow('was claimed anew');
    await trainers.handle(messages.slice(0, half));
    await trainers.handle(messages.slice(half));
    expect(checkpointOf(trainers)).toEqual([learnedAtOnce()]);
  });

  it('go on with what they still have, where the batch’s partition is another’s', async () => {
    const { trainers, gate, clock } = trainer();
    await trainers.claim(partitions(0, 1));
    const { open, reached } = gate.close();
    const inHand = trainers.handle(messages);
    await reached;
    await trainer().trainers.claim(partitions(0));
    await trainers.claim(partitions(1));
    open();
    await expect(inHand).rejects.toThrow('was claimed anew');
    const others = messagesOf(1, '1/other');
    await trainers.handle(others.slice(0, half));
    clock.advance(5 * minute); // a checkpoint is due
    await trainers.handle(others.slice(half));
    const { rows } = await database.pool.query('select model, next_offset from checkpoint');
    expect(rows).toEqual([{ model: 'other', next_offset: String(half) }]);
  });
});

const stored = async () => {
  const { rows: offsets } = await database.pool.query('select next_offset from consumer_offset order by partition');
  const { rows: checkpoints } = await database.pool.query('select model from checkpoint order by model');
  return { offsets: offsets.map((row) => row.next_offset), checkpoints: checkpoints.map(({ model }) => model) };
};

it('learn what their logs hold, where these end before what was learned of them', async () => {
  const { trainers } = trainer();
  await trainers.claim(partitions(0, 1));
  await trainers.handle(messages);
  await trainers.handle(messagesOf(1, '1/other'));
  await trainers.checkpoint();
  const shorter = messages.slice(0, half);
  expect(await trainers.claim(partitions(0, 1), partitions(0))).toEqual([
    { topic, partition: 0, offset: '0' },
    { topic, partition: 1, offset: String(log.length) },
  ]);
  await trainers.handle(shorter);
  const learner = ModelLearner.fresh('1/main');
  for (const entry of log.slice(0, half)) learner.apply(entry);
  expect(checkpointOf(trainers)).toContain(Buffer.from(learner.checkpoint()).toString('base64'));

  const { trainers: next } = trainer(); // it was killed before it had stored what it learned
  expect(await next.claim(partitions(0))).toEqual([{ topic, partition: 0, offset: '0' }]);
  expect([...next.models()]).toEqual([]);
});

it('store nothing of a log behind its claim anew, though they had begun to', async () => {
  const held = Promise.withResolvers<void>();
  const pool = Object.create(database.pool, {
    connect: { value: () => held.promise.then(() => database.pool.connect()) },
    query: { value: (text: string, values: unknown[]) => database.pool.query(text, values) },
  }) as typeof database.pool;
  const { trainers } = trainer({ pool });
  await trainers.claim(partitions(0));
  await trainers.handle(messages);
  const storing = trainers.checkpoint().catch((error: unknown) => error);
  await trainers.claim(partitions(0), partitions(0));
  held.resolve();
  expect(await storing).toBeInstanceOf(ClaimLost);
  expect(await stored()).toEqual({ offsets: ['0'], checkpoints: [] });
});

it('stores what was learned every five minutes, whatever the machine’s clock is set to', async () => {
  const { trainers, clock } = trainer();
  clock.set(60 * minute);
  await trainers.claim(partitions(0));
  await trainers.handle(messages.slice(0, half));
  clock.set(0);
  clock.advance(5 * minute);
  await trainers.handle(messages.slice(half));
  expect(await stored()).toEqual({ offsets: [String(half)], checkpoints: ['main'] });
  clock.set(120 * minute);
  await trainers.handle([]);
  expect(await stored()).toEqual({ offsets: [String(half)], checkpoints: ['main'] });
});

it('stores large checkpoints less often, as each is written whole: 50 kB a second on average', async () => {
  const { trainers, clock } = trainer();
  await trainers.claim(partitions(0));
  await trainers.handle(messages.slice(0, 50));
  Object.assign([...trainers.models()][0]!.learner, { checkpoint: () => new Uint8Array(30_000_000) });
  clock.advance(5 * minute);
  await trainers.handle(messages.slice(50, 100));
  clock.advance(9 * minute);
  await trainers.handle(messages.slice(100, 150));
  expect(await stored()).toEqual({ offsets: ['50'], checkpoints: ['main'] });
  clock.advance(minute);
  await trainers.handle(messages.slice(150, 200));
  expect(await stored()).toEqual({ offsets: ['150'], checkpoints: ['main'] });
});

describe('a checkpoint that cannot be written', () => {
  it('holds up no learning and no other model, is counted, and reading begins before it until it can be', async () => {
    const { trainers, clock, failures } = trainer();
    await trainers.claim(partitions(0, 1));
    const others = messagesOf(1, '1/other');
    await trainers.handle([...messages.slice(0, half), ...others.slice(0, half)]);
    const { learner } = [...trainers.models()][0]!;
    // Beyond what a text, or a value of Postgres, can hold: more than a test has memory for.
    const tooLong = (): never => {
      throw new RangeError('Invalid string length');
    };
    Object.assign(learner, { checkpoint: tooLong });
    clock.advance(5 * minute);
    const { deadLetters } = await trainers.handle([...messages.slice(half), ...others.slice(half)]);
    expect(deadLetters).toEqual([]);
    expect(await stored()).toEqual({ offsets: ['0', String(half)], checkpoints: ['other'] });
    expect(await failures()).toEqual([1]);
    Reflect.deleteProperty(learner, 'checkpoint');
    expect(checkpointOf(trainers)[0]).toEqual(learnedAtOnce());
    clock.advance(5 * minute);
    await trainers.handle([]);
    expect(await stored()).toEqual({
      offsets: [String(log.length), String(log.length)],
      checkpoints: ['main', 'other'],
    });
    expect(await failures()).toEqual([1]);
  });

  it('is counted also where the database refuses it', async () => {
    const { trainers, clock, failures } = trainer();
    await trainers.claim(partitions(0));
    await trainers.handle(messages.slice(0, half));
    expect(await failures()).toEqual([0]);
    await database.pool.query('alter table checkpoint add constraint refused check (false)');
    try {
      clock.advance(5 * minute);
      await trainers.handle(messages.slice(half));
    } finally {
      await database.pool.query('alter table checkpoint drop constraint refused');
    }
    expect(await stored()).toEqual({ offsets: ['0'], checkpoints: [] });
    expect(await failures()).toEqual([1]);
    expect(checkpointOf(trainers)).toEqual([learnedAtOnce()]);
  });
});

describe('a batch of trainers that comes again, since its publication failed', () => {
  it('gives its snapshots and dead letters out again, and learns nothing twice', async () => {
    const { trainers } = trainer();
    await trainers.claim(partitions(0));
    const batch = [...messages.slice(0, half), { ...broken, offset: String(half) }];
    const told = await trainers.handle(batch);
    expect(told.publish.length).toBeGreaterThan(0);
    expect(told.deadLetters).toMatchObject([{ message: { offset: String(half) } }]);
    const learned = checkpointOf(trainers);
    expect(await trainers.handle(batch)).toEqual(told);
    expect(checkpointOf(trainers)).toEqual(learned);
  });

  it('is not behind a checkpoint before it was published', async () => {
    const { trainers, clock } = trainer();
    await trainers.claim(partitions(0));
    await trainers.handle([broken]);
    clock.advance(5 * minute);
    await trainers.handle([broken]);
    expect((await database.pool.query('select next_offset from consumer_offset')).rows).toEqual([{ next_offset: '0' }]);
    await trainers.handle(messages.slice(1, 2));
    expect((await database.pool.query('select next_offset from consumer_offset')).rows).toEqual([{ next_offset: '1' }]);
  });

  it('gives out nothing of the batch before it', async () => {
    const { trainers } = trainer();
    await trainers.claim(partitions(0));
    expect((await trainers.handle([broken])).deadLetters).toHaveLength(1);
    expect((await trainers.handle(messages.slice(1, 3))).deadLetters).toEqual([]);
  });
});
