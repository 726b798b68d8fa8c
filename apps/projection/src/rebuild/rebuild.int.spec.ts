import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { topics } from '@paywright/contracts';
import { createPool } from '@paywright/event-sourcing';
import {
  CoalescingProducer,
  createKafka,
  createTopics,
  readRanges,
  type KafkaConnection,
  type OutgoingMessage,
} from '@paywright/messaging';
import { createLogger, Metrics, SystemClock } from '@paywright/platform';
import { ReadModelProgress, readModelSchema } from '@paywright/read-model';
import { startTestRuntime, testDatabase, type TestDatabase, type TestRuntime } from '@paywright/testing';
import { answerOf, askedToDiscard, openDesk } from '../testing/dead-letter-desk.ts';
import { attributeSet, eventRecord } from '../testing/event-log.ts';
import { appRecords, brokenLifeOf, erasureOf, lifeOf, profileOf } from '../testing/mixed-log.ts';
import { startProjection } from '../testing/running-projection.ts';
import { followedTopics } from '../projections.ts';
import { RebuildDue } from './rebuild-due.ts';
import { exists } from './requirements.ts';
import { schemas } from './schemas.ts';

const lives = 200;
const [parked, discarded] = [1_000, 1_001];
const late = 1_500;
const hopeless = 1_600;
const [erasedBefore, erasedBetween, erasedLater, erasedBehind] = [2_000, 2_001, 2_002, 2_003];

let runtime: TestRuntime;
let kafka: KafkaConnection;
let database: TestDatabase;
let producer: CoalescingProducer;
let projection: AsyncDisposable;
const running = new Set<ChildProcess>();

beforeAll(async () => {
  // A broker of its own: the topics have their real names.
  [runtime, database] = await Promise.all([startTestRuntime({ postgres: false }), testDatabase('read-model')]);
  const logger = createLogger({ service: 'test', level: 'error' });
  kafka = createKafka({ brokers: [runtime.kafkaBrokers], ssl: false, sasl: null, clientId: 'test', logger });
  const manifest = followedTopics.map((name) => ({
    name,
    partitions: 2,
    config: { 'cleanup.policy': name === topics.profilePersonal ? 'compact' : 'delete', 'retention.ms': '-1' },
  }));
  await createTopics(kafka, { topics: manifest }, { replication: 1 });
  producer = new CoalescingProducer({ kafka, metrics: new Metrics() });
  await producer.connect();
  projection = await startProjection(kafka, database.url);
});
afterEach(() => running.forEach((child) => child.kill('SIGKILL'))); // what a test that failed has left
afterAll(async () => {
  await projection[Symbol.asyncDispose]();
  await producer.close();
  await database[Symbol.asyncDispose]();
  await runtime.stop();
});

it('rebuilds while events come and are read, and loses, doubles and turns back nothing', async () => {
  const records = [...appRecords, ...Array.from({ length: lives }, (_, index) => lifeOf(index)).flat()];
  await publish([...records, ...brokenLifeOf(parked), ...brokenLifeOf(discarded)]);
  await untilFolded();
  await discardLetterOf(discarded);
  await addForeignLetter();

  // Killed before there is any table, and it can be asked how far it is.
  await database.pool.query(`create schema ${schemas.next}`);
  expect(await rebuild('status')).toMatchObject({ status: 0, told: expect.stringContaining('run the rebuild again') });

  // The process that leads is stopped as soon as it has begun. Another one folds along.
  await database.addSchema(schemas.next);
  const leading = startRebuild('build-and-switch');
  await untilDone(0);
  leading.kill('SIGSTOP');
  const along = startRebuild('build-and-switch');
  const refused = { status: 1, failed: expect.stringContaining('Another rebuild is at work') };
  expect(await rebuild('drop-next')).toMatchObject(refused);
  await untilDone(await countRecords());

  // So does a third, and is killed behind the first commit of its share of what comes.
  const killed = startRebuild('build-and-switch', { FAILPOINT: 'after_projection_commit' });
  for (let index = lives; killed.isRunning(); index++, await delay(100)) await publish(lifeOf(index));
  const expected = { signal: 'SIGKILL', told: expect.stringContaining('This one folds along') };
  expect(await killed.ended).toMatchObject(expected);

  // The other one is stopped until a switch is behind it; and the one that leads is killed, and begun again.
  along.kill('SIGSTOP');
  leading.kill('SIGKILL');
  await untilFolded();
  const begunAgain = { status: 0, told: expect.stringContaining('Switched. The former') };
  expect(await rebuild('build-and-switch')).toMatchObject(begunAgain);
  along.kill('SIGCONT');
  expect(await along.ended).toMatchObject({ status: 0, told: expect.stringContaining('Switched, by the process') });
  await expectSameRows();

  // The former one is kept, and nothing is rebuilt over it.
  await database.addSchema(schemas.next);
  expect(await rebuild('build-and-switch')).toMatchObject({
    status: 1,
    failed: expect.stringContaining('--drop-former'),
  });
  expect(await rebuild('drop-former')).toMatchObject({ status: 0, told: 'Dropped the former read model.\n' });
  expect(await exists(database.pool, schemas.former)).toBe(false);

  // While events come, and clients write, wait for it, and read.
  const clients = startClients(4);
  const [level, switched] = await Promise.all([rebuild('build'), rebuild('build-and-switch')]);
  expect(level).toMatchObject({ status: 0, failed: '' });
  expect(switched).toMatchObject({ status: 0, told: expect.stringContaining('Switched. The former'), failed: '' });
  await clients.untilWritten(100);
  await clients.stop();
  await untilFolded();

  // What is read now is half rebuilt, half followed: once more from nothing, it is the same.
  await dropFormer();
  await database.addSchema(schemas.next);
  expect(await rebuild('build-and-switch')).toMatchObject({ status: 0 });
  await expectSameRows();
});

it('keeps nobody who is erased, neither in what was begun nor in what was read before', async () => {
  await dropFormer();
  const people = [erasedBefore, erasedBetween, erasedBehind];
  await publish(people.flatMap((index) => lifeOf(index)));
  await untilFolded();
  await erase(erasedBefore);
  await database.addSchema(schemas.next);

  // Wherever it is ended: the personal record is still in the topic, before the tombstone, and is not taken in.
  expect(await rebuild('build', { FAILPOINT: 'after_projection_commit' })).toMatchObject({ signal: 'SIGKILL' });
  const guard = `select fields from ${schemas.next}.profile_personal where profile_id = $1`;
  expect((await database.pool.query(guard, [profileOf(erasedBefore)])).rows).toEqual([{ fields: {} }]);

  // Begun and left alone.
  expect(await rebuild('build')).toMatchObject({ status: 0, told: expect.stringContaining(' is level. ') });
  expect((await rebuild('status')).told).toMatch(/ of [\d,]+ records · level/);
  expect(await tracesOf(erasedBefore)).toEqual([]);
  expect(await tracesOf(erasedBetween)).toEqual(tracesIn(schemas.live, schemas.next));

  // However few came since, the next run folds them in.
  await publish(lifeOf(erasedLater));
  await untilFolded();
  expect(await tracesOf(erasedLater)).toEqual(tracesIn(schemas.live));
  expect(await rebuild('build')).toMatchObject({ status: 0 });
  expect(await tracesOf(erasedLater)).toEqual(tracesIn(schemas.live, schemas.next));
  await erase(erasedLater);
  expect(await tracesOf(erasedLater)).toEqual([]);
  await erase(erasedBetween);
  expect(await tracesOf(erasedBetween)).toEqual([]);

  // What was emptied there hinders nothing.
  expect(await rebuild('build-and-switch')).toMatchObject({ status: 0 });
  await expectSameRows();
  expect(await tracesOf(erasedBehind)).toEqual(tracesIn(schemas.live, schemas.former));
  await erase(erasedBehind);
  expect(await tracesOf(erasedBehind)).toEqual([]);
});

it('tells that the read model is of another version, goes on with none of another one, and mends it', async () => {
  await dropFormer();
  await database.addSchema(schemas.next);
  const [lines, metrics]: [string[], Metrics] = [[], new Metrics()];
  const logger = createLogger({ service: 'test', level: 'warn' }, { write: (line) => void lines.push(line) });
  const due = new RebuildDue(database.pool, { metrics, logger });
  const told = async () => {
    await due.refresh();
    const gauge = await metrics.registry.getSingleMetric('paywright_projection_rebuild_due')?.get();
    return [gauge?.values.map(({ value }) => value), lines.length];
  };
  expect(await told()).toEqual([[0], 0]);
  await database.pool.query(`update ${schemas.live}.projection_offset set code = code - 1`);
  expect([await told(), await told()]).toEqual(Array(2).fill([[1], 1]));
  expect((await rebuild('status')).told).toMatch(/^read_model: .*, is read; made by another version: rebuild it\n/);

  expect(await rebuild('build')).toMatchObject({ status: 0 });
  await database.pool.query(`update ${schemas.next}.projection_offset set code = code - 1`);
  const refused = { status: 1, failed: expect.stringContaining('begun by another version') };
  expect(await rebuild('build-and-switch')).toMatchObject(refused);
  await rebuild('drop-next');
  await database.addSchema(schemas.next);
  expect(await rebuild('build-and-switch')).toMatchObject({ status: 0 });
  expect(await told()).toEqual([[0], 1]);
});

it('closes a gap that an earlier build left open, though what was missing had come', async () => {
  await dropFormer();
  const profileId = profileOf(late);
  const [v1, v2, v3] = lifeOf(late).filter(({ topic }) => topic === topics.profileEvents);
  await publish([v1!]);
  await publish([v3!]);
  await publish([v2!]);
  await untilFolded();
  await database.pool.query(
    "update dead_letter set status = 'open', blocks = true, settled_at = null, settled_by = null where key = $1",
    [profileId],
  );
  await database.addSchema(schemas.next);
  expect(await rebuild('build-and-switch')).toMatchObject({ status: 0 });
  const { rows } = await database.pool.query(
    'select status, blocks, settled_by from dead_letter where key = $1 order by "offset"',
    [profileId],
  );
  expect(rows).toEqual([{ status: 'retried', blocks: false, settled_by: 'projection' }]);
});

it('gives up all that was given up of a key, however many came one behind the other', async () => {
  await dropFormer();
  const profileId = profileOf(hopeless);
  const [first, broken, last] = brokenLifeOf(hopeless);
  const alike = [2, 3, 4, 5].map((version) => ({
    ...broken!,
    headers: { ...broken!.headers, ce_streamversion: String(version) },
  }));
  await publish([first!, ...alike, { ...last!, headers: { ...last!.headers, ce_streamversion: '6' } }]);
  await untilFolded();
  const desk = openDesk(database.pool);
  const letter = "select seq from dead_letter where key = $1 and error is not null and status = 'open'";
  for (let count = 0; count < alike.length; count++) {
    const { rows } = await database.pool.query<{ seq: string }>(letter, [profileId]);
    expect(await answerOf(desk, askedToDiscard(Number(rows[0]?.seq)))).toMatchObject({ status: 'discarded' });
  }
  await database.addSchema(schemas.next);
  expect(await rebuild('build-and-switch')).toMatchObject({ status: 0, failed: '' });
  const { rows } = await database.pool.query('select version from profile where profile_id = $1', [profileId]);
  expect(rows).toEqual([{ version: 6 }]);
});

it('switches to nothing that shows less', async () => {
  await dropFormer();
  await database.addSchema(schemas.next);
  // As if the present one had folded in what this code does not understand.
  await database.pool.query('delete from dead_letter where key = $1', [profileOf(parked)]);
  const { status, failed } = await rebuild('build-and-switch');
  expect({ status, failed }).toEqual({
    status: 1,
    failed: expect.stringContaining('publishes no event of this type and version'),
  });
  expect(await exists(database.pool, schemas.former)).toBe(false);
  expect((await rebuild('status')).told).toMatch(/^read_model: .*, is read\nread_model_next: .*, 100 % · /);
  expect(await rebuild('drop-next')).toMatchObject({ status: 0, told: 'Dropped the rebuild that was begun.\n' });
});

const publish = (records: readonly OutgoingMessage[]) => producer.send(records);

/** A rebuild as a process of its own, as it is delivered. The schema that it needs is made by whoever starts it. */
function startRebuild(action: string, more: NodeJS.ProcessEnv = {}) {
  const program = join('dist', 'apps', 'projection', 'rebuild.js');
  const servers = { DATABASE_URL: database.url, KAFKA_BROKERS: runtime.kafkaBrokers, NODE_ENV: 'test' };
  const child = spawn(process.execPath, [program, action], {
    env: { ...process.env, NODE_OPTIONS: '', ...servers, ...more },
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  const ended = new Promise<{ status: number | null; signal: string | null }>((resolve) =>
    child.once('exit', (status, signal) => resolve({ status, signal })),
  );
  const all = Promise.all([text(child.stdout), text(child.stderr), ended]);
  return {
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    isRunning: () => running.has(child),
    ended: all.then(([told, failed, end]) => ({ told, failed, ...end })),
  };
}

const dropFormer = () => database.pool.query(`drop schema ${schemas.former} cascade`);

const rebuild = (...[action, more]: Parameters<typeof startRebuild>) => startRebuild(action, more).ended;

/** Until a rebuild has begun, and has folded in so many records. */
async function untilDone(least: number): Promise<void> {
  const folded = `select sum(next_offset)::int as done from ${schemas.next}.projection_offset`;
  for (let attempt = 0; attempt < 1_500; attempt++) {
    const { rows } = await database.pool.query<{ done: number | null }>(folded);
    if ((rows[0]?.done ?? -1) >= least) return;
    await delay(20);
  }
  throw new Error('The rebuild does not go on.');
}

const countRecords = async () =>
  (await readRanges(kafka, followedTopics)).reduce((sum, { end }) => sum + Number(end), 0);

async function untilFolded(): Promise<void> {
  const ends = `select coalesce(sum(next_offset), 0)::int as done from projection_offset`;
  for (let attempt = 0; attempt < 300; attempt++) {
    const { rows } = await database.pool.query<{ done: number }>(ends);
    if (rows[0]?.done === (await countRecords())) return;
    await delay(100);
  }
  throw new Error('The projection does not reach the ends of the topics.');
}

async function erase(index: number): Promise<void> {
  await publish(erasureOf(profileOf(index)));
  await untilFolded();
}

/**
 * Tables of all read models that tell something of a person which an erasure takes away. Events stay, and with them what they
 * tell.
 */
async function tracesOf(index: number): Promise<readonly string[]> {
  const { rows } = await database.pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname like $1 order by 1`,
    [`${schemas.live}%`],
  );
  const found: string[] = [];
  for (const { name } of rows) {
    const { rowCount } = await database.pool.query(`select from ${name} as t where t::text ~ $1`, [
      marksOf(name, index),
    ]);
    if (rowCount) found.push(name);
  }
  return found;
}

function marksOf(table: string, index: number): string {
  const personal = `user ${index}|${index}@x\\.y`;
  return table.endsWith('.profile') ? `${personal}|^\\(${profileOf(index)}.*(DE|goal)` : personal;
}

const tracesIn = (...names: readonly string[]) =>
  names.flatMap((name) => [`${name}.profile`, `${name}.profile_personal`]);

async function discardLetterOf(index: number): Promise<void> {
  const { rows } = await database.pool.query<{ seq: string }>(
    'select seq from dead_letter where key = $1 and error is not null',
    [profileOf(index)],
  );
  const answer = await answerOf(openDesk(database.pool), askedToDiscard(Number(rows[0]?.seq)));
  expect(answer).toMatchObject({ status: 'discarded', released: 1 });
}

async function addForeignLetter(): Promise<void> {
  await database.pool.query(
    `insert into dead_letter (consumer, topic, partition, "offset", headers, blocks, error, attempts, recorded_at)
     values ('profile', 'profile.commands', 0, 7, '{}', false, 'it failed', 1, now())`,
  );
}

/** Every table but that of the migrations, whose rows tell when each schema was made. Also ids, owners and offsets. */
async function expectSameRows(): Promise<void> {
  const { rows } = await database.pool.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = $1 and tablename <> '_prisma_migrations' order by 1`,
    [schemas.live],
  );
  expect(rows.length).toBeGreaterThan(14);
  for (const { name } of rows) {
    const [live, former] = [`${schemas.live}.${name}`, `${schemas.former}.${name}`];
    const differences = await database.pool.query(
      `(select 'only new' as which, t::text from ${live} t except all select 'only new', t::text from ${former} t)
       union all
       (select 'only former', t::text from ${former} t except all select 'only former', t::text from ${live} t)`,
    );
    expect({ name, differences: differences.rows }).toEqual({ name, differences: [] });
    const counted = await database.pool.query<{ count: number }>(`select count(*)::int as count from ${live}`);
    expect({ name, isEmpty: counted.rows[0]?.count === 0 }).toEqual({ name, isEmpty: unused.has(name) });
  }
}

/** Tables that this log leaves empty. */
const unused = new Set(['app_key', 'catalog_revision', 'purchase_report']);

/** Each writes to a profile of its own, waits until it can be seen, and reads it, over prepared statements of a pool. */
function startClients(count: number) {
  const pool = createPool({ databaseUrl: database.url, schema: readModelSchema, max: 8 });
  const progress = new ReadModelProgress({ pool, clock: new SystemClock() });
  const stopping = new AbortController();
  let written = 0;
  const write = async (profileId: string) => {
    let version = 4;
    for (; !stopping.signal.aborted; await delay(10)) {
      version += 1;
      await publish([eventRecord('profile', profileId, version, attributeSet(profileId, 'goal', String(version)))]);
      const deadline = new SystemClock().steadyNow() + 10_000;
      expect(await progress.reached({ profileId, streamVersion: version, deadline })).toBe(true);
      expect(await versionOf(profileId)).toBe(version);
      written += 1;
    }
  };
  const versionOf = async (profileId: string) => {
    const select = { name: 'select-version', text: 'select version from profile where profile_id = $1' };
    return (await pool.query<{ version: number }>({ ...select, values: [profileId] })).rows[0]?.version;
  };
  /** Nothing else writes to this connection's tables: what it has seen, it must see again. */
  const read = async () => {
    for (let [seen, rows] = [0, 0]; !stopping.signal.aborted; await delay(2)) {
      const { rows: found } = await pool.query<{ sum: number; count: number }>({
        name: 'select-sum',
        text: 'select sum(profile.version)::int as sum, count(*)::int as count from profile join profile_personal using (profile_id)',
      });
      const now = found[0]!;
      expect(now.sum).toBeGreaterThanOrEqual(seen);
      expect(now.count).toBeGreaterThanOrEqual(rows);
      [seen, rows] = [now.sum, now.count];
    }
  };
  const all = progress
    .start()
    .then(() => Promise.all([read(), read(), ...Array.from({ length: count }, (_, index) => write(profileOf(index)))]));
  return {
    /** Until they have written so often from now on. */
    async untilWritten(more: number) {
      for (const least = written + more; written < least; await delay(10)) await Promise.race([all, delay(0)]);
    },
    stop: async () => {
      stopping.abort();
      await all;
      await progress.stop();
      await pool.end();
    },
  };
}
