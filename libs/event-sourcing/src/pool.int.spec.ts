import { expect, it } from '@jest/globals';
import { createPool } from './pool.ts';

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
  const pool = createPool({ databaseUrl: process.env['TEST_DATABASE_URL']!, schema: 'public', max: 1, waitMs: 50 });
  const client = await pool.connect();
  await expect(pool.query('select 1')).rejects.toMatchObject({ code: 'ETIMEDOUT' });
  await expect(pool.connect()).rejects.toMatchObject({ code: 'ETIMEDOUT' });
  client.release();
  expect((await pool.query('select 1')).rowCount).toBe(1);
  await pool.end();
});
