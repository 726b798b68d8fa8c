import { afterAll, beforeEach, expect } from '@jest/globals';
import type { Failpoint, OutgoingMessage } from '@paywright/messaging';
import { createLogger, ManualClock, Metrics } from '@paywright/platform';
import { testDatabase, type TestDatabase } from '@paywright/testing';
import type pg from 'pg';
import type { ProjectionDefect } from '../defects.ts';
import type { Projection } from '../following/projection.ts';
import { TopicFollower } from '../following/topic-follower.ts';
import { ProjectionMetrics } from '../projection-metrics.ts';
import { received } from './event-log.ts';

export const clock = new ManualClock(Date.UTC(2026, 0, 2));

/**
 * A read model of a spec's own: empty before each test, gone behind the last. To be called at the top of the spec.
 * @example const { pool } = await testReadModel();
 */
export async function testReadModel(): Promise<TestDatabase> {
  const database = await testDatabase('read-model');
  beforeEach(() => clear(database.pool));
  afterAll(async () => await database[Symbol.asyncDispose]());
  return database;
}

/** A follower over a test database, as an instance of the projection has one. */
export function follow<Entry>(
  pool: pg.Pool,
  projection: Projection<Entry>,
  options: { clusterId?: string; table?: number; defects?: readonly ProjectionDefect[]; failpoint?: Failpoint } = {},
): TopicFollower<Entry> {
  return new TopicFollower(projection, {
    pool,
    clock,
    clusterId: options.clusterId ?? 'cluster',
    ...(options.table !== undefined && { table: options.table }),
    logger: createLogger({ service: 'test', level: 'error' }),
    metrics: new ProjectionMetrics(new Metrics(), clock),
    defects: new Set(options.defects),
    failpoint: options.failpoint ?? (() => undefined),
  });
}

const tables = {
  profile: 'profile_id',
  profile_personal: 'profile_id',
  profile_event: 'profile_id, service, version',
  decision: 'profile_id, decision_id',
  superseded_decision: 'profile_id, decision_id',
  purchase_chain: 'chain_id',
  later_decision: 'chain_id, decision_id',
  purchase_event: 'chain_id, version',
  purchase_owner: 'profile_id, chain_id',
  purchase_report: 'profile_id, chain_id, version',
  ledger_entry: 'chain_id, version',
  unique_impression: 'profile_id, paywall_id',
  app: 'app_id',
  app_key: 'app_id, key_id',
  catalog_revision: 'app_id, revision',
  audit: 'app_id, version, id',
} as const;
export type Table = keyof typeof tables;

/** All rows of a table, in order of its key. */
export async function rowsOf(pool: pg.Pool, table: Table): Promise<readonly Record<string, unknown>[]> {
  const { rows } = await pool.query<Record<string, unknown>>(`select * from ${table} order by ${tables[table]}`);
  return rows;
}

/** How a log is read: in batches of these sizes, in turn, each batch so many times. */
export interface Reading {
  readonly sizes?: readonly number[];
  readonly times?: number;
}

/** The rows that come of a log, and of nothing else. Nothing of it may be refused. */
export async function rowsAfter(
  pool: pg.Pool,
  projection: Projection,
  log: readonly OutgoingMessage[],
  tables: readonly Table[],
  { sizes = [log.length], times = 1 }: Reading = {},
) {
  await clear(pool);
  const follower = follow(pool, projection);
  await follower.claim(0);
  for (let offset = 0, turn = 0; offset < log.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    const batch = received(log.slice(offset, offset + size), offset);
    for (let time = 0; time < times; time++) await follower.handle(batch);
    offset += size;
  }
  expect(await deadLetters(pool)).toEqual([]);
  return Promise.all(tables.map((table) => rowsOf(pool, table)));
}

export async function clear(pool: pg.Pool): Promise<void> {
  await pool.query(`truncate ${Object.keys(tables).join(', ')}, projection_offset, dead_letter`);
}

export async function storedOffset(pool: pg.Pool): Promise<string | undefined> {
  const { rows } = await pool.query<{ next_offset: string }>('select next_offset from projection_offset');
  return rows[0]?.next_offset;
}

/** What waits or failed, in order: offset, and why, or null if it waits behind another. */
export async function deadLetters(pool: pg.Pool): Promise<readonly (readonly [string, string | null])[]> {
  const { rows } = await pool.query<{ offset: string; error: string | null }>(
    'select "offset", error from dead_letter order by seq',
  );
  return rows.map(({ offset, error }) => [offset, error]);
}
