import { expect, it } from '@jest/globals';
import { createLogger, Metrics } from '@paywright/platform';
import { createPool, openPool } from './pool.ts';

it('outlives a connection that breaks while it is in use', async () => {
  const pool = createPool({ databaseUrl: process.env['TEST_DATABASE_URL']!, schema: 'public', max: 2 });
  const client = await pool.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const ended = new Promise((resolve) => client.once('end', resolve));

  await pool.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
  await ended; // unheard, the error before it would have ended this process
  client.release(true);

  expect((await pool.query('select 1')).rowCount).toBe(1);
  await pool.end();
});

it('says by a code that the wait for a connection was too long', async () => {
  const pool = createPool({ databaseUrl: process.env['TEST_DATABASE_URL']!, schema: 'public', max: 1, waitMs: 4_000 });
  const client = await pool.connect(); // which may take seconds on a busy machine
  await Promise.all([
    expect(pool.query('select 1')).rejects.toMatchObject({ code: 'ETIMEDOUT' }),
    expect(pool.connect()).rejects.toMatchObject({ code: 'ETIMEDOUT' }),
  ]);
  client.release();
  expect((await pool.query('select 1')).rowCount).toBe(1);
  await pool.end();
});

it('of a process shows in metrics, and says which of its connections broke while idle', async () => {
  const { promise: told, resolve } = Promise.withResolvers<string>();
  const logger = createLogger({ service: 'test', level: 'warn' }, { write: resolve });
  const metrics = new Metrics();
  const databaseUrl = process.env['TEST_DATABASE_URL']!;
  const pool = openPool({ name: 'idle', databaseUrl, schema: 'public', max: 1 }, { logger, metrics });
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  expect(await metrics.text()).toContain('database_connections{pool="idle",state="idle"} 1');

  const other = createPool({ databaseUrl, schema: 'public', max: 1 });
  await other.query('select pg_terminate_backend($1)', [rows[0]?.pid]);

  expect(JSON.parse(await told)).toMatchObject({
    pool: 'idle',
    message: 'A database connection broke and is replaced',
  });
  expect((await pool.query('select 1')).rowCount).toBe(1);
  await Promise.all([pool.end(), other.end()]);
});
