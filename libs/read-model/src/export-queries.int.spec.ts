import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { testDatabase, type TestDatabase } from '@paywright/testing';
import type pg from 'pg';
import { ExportQueries } from './export-queries.ts';

const profileId = '00000001-0000-4000-8000-000000000000';
const other = '00000002-0000-4000-8000-000000000000';
const holed = '00000003-0000-4000-8000-000000000000';
const chain = (digit: number) => `1000000${digit}-0000-4000-8000-000000000000`;
const erasedAt = 10;
const eventCount = 100_000;

/** $1 profile, $2 service, $3 first and $4 last version: a second apart. */
const insertEvents = `
  insert into profile_event (profile_id, id, time, version, app_id, service, type, data)
  select $1, gen_random_uuid(), to_timestamp(version), version, 1, $2, 'Happened', '{"n": ' || version || '}'
  from generate_series($3::int, $4::int) version`;
const insertChain = `
  insert into purchase_event (chain_id, id, time, version, app_id, type, data)
  select $1, gen_random_uuid(), to_timestamp(20), version, 1, 'Bought', '{}' from generate_series(1, 4) version`;

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase('read-model');
  const { pool } = database;
  await pool.query(
    `insert into profile (profile_id, app_id, version, fields, custom, created_at, updated_at, erased_at, erased_version)
     values ($1, 1, 12, '{}', '[]', now(), now(), to_timestamp($2), 10)`,
    [profileId, erasedAt],
  );
  await pool.query(insertEvents, [profileId, 'profile', 1, 12]);
  await pool.query(insertEvents, [profileId, 'impression', 1, eventCount + erasedAt]);
  await pool.query(insertEvents, [other, 'profile', 1, 12]);
  await pool.query(insertEvents, [holed, 'impression', 1, 39]);
  await pool.query(insertEvents, [holed, 'impression', 41, 250]);
  await pool.query(insertEvents, [holed, 'selection', 301, 302]);
  for (const digit of [1, 2, 3, 4]) await pool.query(insertChain, [chain(digit)]);
  await pool.query(`insert into purchase_owner values ($1, $2, null), ($1, $3, 2), ($4, $5, null);`, [
    profileId,
    chain(1),
    chain(2),
    other,
    chain(3),
  ]);
  await pool.query(`insert into purchase_report values ($1, $2, 1), ($1, $3, 3)`, [profileId, chain(2), chain(3)]);
  await pool.query(
    `insert into unique_impression values ($1, 1, 1, null, null, to_timestamp(5)), ($1, 2, 1, 'a', null, to_timestamp(15))`,
    [profileId],
  );
});
afterAll(async () => await database[Symbol.asyncDispose]());

it('gives every event since the erasure once, in order, however many, a page of them at a time', async () => {
  let longest = 0;
  const counting = {
    query: async (statement: pg.QueryConfig | string, values?: unknown[]) => {
      const result = await database.pool.query(statement, values);
      longest = Math.max(longest, result.rowCount ?? 0);
      return result;
    },
  };
  const seen: string[] = [];
  for await (const { service, stream, version, time } of new ExportQueries(counting as never).events(1, profileId)) {
    if (service !== 'purchase') expect(time).toBe(version * 1_000);
    seen.push(`${service} ${stream} ${version}`);
  }
  const versions = (count: number) => Array.from({ length: count }, (_, index) => index + 1 + erasedAt);
  expect(seen).toEqual([
    ...versions(eventCount).map((version) => `impression ${profileId} ${version}`),
    ...versions(2).map((version) => `profile ${profileId} ${version}`),
    ...[1, 2, 3, 4].map((version) => `purchase ${chain(1)} ${version}`),
    ...[1, 2].map((version) => `purchase ${chain(2)} ${version}`),
    `purchase ${chain(3)} 3`,
  ]);
  expect(longest).toBe(100);
});

it('goes on behind versions that were discarded', async () => {
  const seen: number[] = [];
  for await (const { version } of new ExportQueries(database.pool).events(1, holed)) seen.push(version);
  const versions = (first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, index) => first + index);
  expect(seen).toEqual([...versions(1, 39), ...versions(41, 250), 301, 302]);
});

it('gives the impressions since the erasure', async () =>
  expect(await new ExportQueries(database.pool).impressions(1, profileId)).toEqual([
    { paywallId: 2, placementId: 'a', decisionId: null, firstShownAt: 15_000 },
  ]));

it('gives nothing of another app', async () => {
  const exports = new ExportQueries(database.pool);
  expect((await exports.events(2, profileId).next()).done).toBe(true);
  expect(await exports.impressions(2, profileId)).toEqual([]);
});
