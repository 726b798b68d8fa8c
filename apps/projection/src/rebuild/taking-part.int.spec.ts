import { beforeEach, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { createPool } from '@paywright/event-sourcing';
import { ClaimLost } from '@paywright/messaging';
import type pg from 'pg';
import { personalProjection } from '../personal/personal.projection.ts';
import { appId, personalRecord, profileA, profileB, received } from '../testing/event-log.ts';
import { clock, follow, rowsOf, testReadModel } from '../testing/read-model.ts';
import { drop } from './keeping.ts';
import { requireLead, withRebuildConnection } from './rebuild-connection.ts';
import { schemas } from './schemas.ts';
import { switchOver } from './switch-over.ts';
import { takePart, untilLeading, type Part } from './taking-part.ts';

const database = await testReadModel();
const never = new AbortController().signal;
const { topic } = personalProjection;
const ranges = [0, 1].map((partition) => ({ topic, partition, first: 0n, end: 9n }));
const recordOf = (profileId: string) =>
  personalRecord(profileId, { appId, profileId, version: 1, fields: { email: 'a@b.c' } });

beforeEach(async () => {
  await database.pool.query(`drop schema if exists ${schemas.former} cascade`);
  await database.pool.query(`drop schema if exists ${schemas.next} cascade`);
  await database.addSchema(schemas.next);
});

const withConnection = <Result>(work: (connection: pg.Client) => Promise<Result>) =>
  withRebuildConnection(database.url, work);
const take = (connection: pg.Client, ending = never) =>
  takePart(connection, { ranges, clusterId: 'cluster', ending }) as Promise<Part>;

it('waits until the one that leads has begun, folds along, and leads where that one ends', async () => {
  const told: string[] = [];
  await withConnection(async (other) => {
    const { following } = await withConnection(async (leading) => {
      await requireLead(leading);
      const waiting = take(other);
      expect(await Promise.race([waiting, delay(500, 'nothing was begun')])).toBe('nothing was begun');
      const { table, leads } = await take(leading);
      expect(leads).toBe(true);
      expect(await waiting).toEqual({ table, leads: false });
      await expect(withConnection(requireLead)).rejects.toThrow('Another rebuild is at work');
      return { following: untilLeading(other, table, { say: (line) => void told.push(line), ending: never }) };
    });
    expect(await following).toBe(true);
  });
  expect(told).toEqual(['The process that led has ended: this one leads.']);
});

it('takes no part in what another code has begun, even if nothing is folded in yet', async () => {
  await withConnection((connection) => take(connection));
  await database.pool.query(`update ${schemas.next}.projection_offset set code = code - 1`);
  await expect(withConnection((connection) => take(connection))).rejects.toThrow('begun by another version');
});

it('ends where the rebuild is dropped', async () => {
  await withConnection(async (leading) => {
    const { table } = await take(leading);
    const folding = withConnection((other) => untilLeading(other, table, { say: () => undefined, ending: never }));
    await drop(leading, schemas.next);
    await expect(folding).rejects.toThrow('The rebuild was dropped.');
  });
});

it('folds in nothing behind a switch, though it waited for that one, nor in a later rebuild', async () => {
  await using pool = Object.assign(createPool({ databaseUrl: database.url, schema: schemas.next, max: 4 }), {
    [Symbol.asyncDispose]: () => pool.end(),
  });
  await withConnection(async (connection) => {
    const { table } = await take(connection);
    const [first, second] = [0, 1].map(() => follow(pool, personalProjection, { table }));
    await first!.claim(0);
    await first!.handle(received([recordOf(profileA)]));

    // The switch holds the folders, and is held up itself.
    const holding = await database.pool.connect();
    await holding.query(`begin; lock table ${schemas.next}.dead_letter in exclusive mode`);
    const switching = switchOver({ connection, projections: [], now: () => clock.now() });
    await untilWaiting('dead_letter', 1);
    const late = [first!.handle(received([recordOf(profileB)], 1)), second!.claim(1)];
    const refused = Promise.all(late.map((one) => expect(one).rejects.toThrow(/42P01|does not exist/)));
    await untilWaiting('projection_offset', 2);
    const before = await offsets();
    await holding.query('commit');
    holding.release();
    expect(await switching).toBe(true);
    await refused;
    expect((await rowsOf(database.pool, 'profile_personal')).map((row) => row['profile_id'])).toEqual([profileA]);
    expect(await offsets(schemas.live)).toEqual(before);

    await drop(connection, schemas.former);
    await database.addSchema(schemas.next);
    const { table: later } = await take(connection);
    await follow(pool, personalProjection, { table: later }).claim(0); // as often as it was claimed before
    const begun = await offsets();
    await expect(first!.handle(received([recordOf(profileB)], 1))).rejects.toThrow(ClaimLost);
    await expect(second!.claim(1)).rejects.toThrow(ClaimLost);
    expect(await offsets()).toEqual(begun);
  });
});

async function offsets(schema: string = schemas.next) {
  const text = `select partition, next_offset, owner_epoch from ${schema}.projection_offset order by partition`;
  return (await database.pool.query(text)).rows;
}

async function untilWaiting(table: string, count: number): Promise<void> {
  const text = `
    select count(*)::int as waiting from pg_locks
    where relation = '${schemas.next}.${table}'::regclass and not granted`;
  for (let attempt = 0; attempt < 200; attempt++) {
    const { rows } = await database.pool.query<{ waiting: number }>(text);
    if (rows[0]?.waiting === count) return;
    await delay(20);
  }
  throw new Error(`There are not ${count} who wait for ${table}.`);
}
