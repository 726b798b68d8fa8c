import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Append, AppendRejected, isInfrastructureFault } from './event-store.ts';
import { createPool } from './pool.ts';
import { PostgresEventStore } from './postgres-event-store.ts';
import { forgetCommands } from './sql/forget-commands.sql.ts';
import { describeEventStore } from './testing/event-store.contract.ts';
import { type EventStoreDatabase, eventStoreDatabase } from './testing/event-store-database.ts';

let database: EventStoreDatabase;
let store: PostgresEventStore;

beforeAll(async () => {
  database = await eventStoreDatabase();
  store = new PostgresEventStore(database.pool);
});
afterAll(async () => database[Symbol.asyncDispose]());

const created = (stream: string, body: unknown): Append => {
  const event = { id: randomUUID(), stream, streamVersion: 1, time: 0, correlationId: 'c', causationId: 'c' };
  return { inbox: [], events: [{ ...event, type: 'Created', version: 1, body }], personal: [], snapshots: [] };
};

describe('event store on Postgres', () => {
  describeEventStore(() => store);

  it('refuses for good what no column can hold, beside others that it takes', async () => {
    const [good, bad] = [randomUUID(), randomUUID()];

    const results = await Promise.allSettled([
      store.append(created(good, { text: 'a' })),
      store.append(created(bad, { text: 'nul \u0000' })),
    ]);

    expect(results).toMatchObject([{ status: 'fulfilled' }, { reason: expect.any(AppendRejected) }]);
    expect([...(await store.load([good, bad], null)).keys()]).toEqual([good]);
  });

  it('takes concurrent appends in few transactions', async () => {
    const streams = Array.from({ length: 40 }, () => randomUUID());

    await Promise.all(streams.map((stream) => store.append(created(stream, {}))));

    // Each row has its transaction's id.
    const counted = 'select count(distinct xmin::text)::int as transactions from event where stream = any($1)';
    const { rows } = await database.pool.query<{ transactions: number }>(counted, [streams]);
    expect(rows[0]?.transactions).toBeLessThanOrEqual(4);
  });

  it('calls a database that is not there a fault of the infrastructure, and says so soon', async () => {
    const pool = createPool({ databaseUrl: 'postgres://nobody@127.0.0.1:1/none', schema: 'streams', max: 1 });
    const error: unknown = await new PostgresEventStore(pool).append(created('a', {})).catch((fault: unknown) => fault);
    await pool.end();

    expect(error).toMatchObject({ cause: { code: 'ECONNREFUSED' } });
    expect(isInfrastructureFault(error)).toBe(true);
  });

  it('survives the loss of its connections', async () => {
    const stream = randomUUID();
    await store.append(created(stream, {}));
    const terminate = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                       WHERE datname = current_database() AND pid <> pg_backend_pid()`;
    await database.anotherPool().query(terminate);
    // Each connection may be met once before its end is noticed.
    const load = () => store.load([stream], null).catch((fault: unknown) => fault);
    let answer = await load();
    for (let met = 0; met < database.pool.options.max && !(answer instanceof Map); met++) {
      expect(isInfrastructureFault(answer)).toBe(true);
      answer = await load();
    }
    expect(answer).toMatchObject({ size: 1 });
  });

  it('forgets commands by age', async () => {
    const commandId = randomUUID();
    const entry = { commandId, stream: commandId, firstVersion: 1, lastVersion: 0, reply: '{}' };
    await store.append({ inbox: [entry], events: [], personal: [], snapshots: [] });

    await database.pool.query("update inbox set created_at = now() - interval '2 hours' where command_id = $1", [
      commandId,
    ]);
    const hour = 3_600_000;

    await store.forgetCommandsOlderThan(3 * hour);
    expect((await store.findOutcomes([entry])).size).toBe(1);

    await store.forgetCommandsOlderThan(hour);
    expect((await store.findOutcomes([entry])).size).toBe(0);
  });

  it('reads no younger commands to forget old ones, though these stand where others stood before', async () => {
    await using another = await eventStoreDatabase();
    const { pool } = another;
    await pool.query('alter table inbox set (autovacuum_enabled = false)'); // it comes below, at known moments
    const remember = `insert into inbox (command_id, stream, first_version, last_version, reply, created_at)
      select gen_random_uuid(), 's', 1, 0, repeat('x', 200), now() - interval '40 hours' + ($1 + i / 1000.0) * interval '1 hour'
      from generate_series(1, 1000) as i`;
    for (let hour = 0; hour < 40; hour++) {
      await pool.query(remember, [hour]);
      await pool.query("delete from inbox where created_at < now() - (52 - $1) * interval '1 hour'", [hour]);
      await pool.query('vacuum inbox');
    }
    await pool.query('analyze inbox');

    const told = await pool.query<{ 'QUERY PLAN': unknown }>(`explain (analyze, format json) ${forgetCommands}`, [
      12.5 * 3_600_000,
    ]);

    const plan = JSON.stringify(told.rows[0]?.['QUERY PLAN']);
    const readInVain = [...plan.matchAll(/"Rows Removed by [^"]+":(\d+)/g)].map(([, rows]) => Number(rows));
    expect(readInVain.reduce((sum, rows) => sum + rows, 0)).toBeLessThan(1_000);
  }, 60_000);
});
