import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { loopback } from '@paywright/deploy/local/free-ports.ts';
import { createLogger, isPassingFault, Metrics } from '@paywright/platform';
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

it('lets a statement take as long as it takes where it is told so', async () => {
  const databaseUrl = process.env['TEST_DATABASE_URL']!;
  const pool = createPool({ databaseUrl, schema: 'public', max: 1, patienceMs: null });
  const { rows } = await pool.query<{ setting: string }>(`
    select setting from pg_settings, pg_sleep(1.5) where name = 'statement_timeout' and source = 'client'`);
  expect(rows).toEqual([{ setting: '0' }]); // whatever the database or its user has
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

describe('a connection that is lost while it is asked is a fault that passes', () => {
  /** The database, but for what becomes of a query. */
  async function databaseWhere(onQuery: (client: Socket) => void) {
    const url = new URL(process.env['TEST_DATABASE_URL']!);
    const { port, hostname } = url;
    const query = 'Q'.charCodeAt(0);
    const server = createServer((client) => {
      const onward = connect(Number(port || 5432), hostname);
      client.on('data', (bytes) => (bytes[0] === query ? onQuery(client) : void onward.write(bytes)));
      onward.pipe(client);
      client.on('close', () => onward.destroy());
      for (const socket of [client, onward]) socket.on('error', () => undefined);
    });
    await once(server.listen(0, loopback), 'listening');
    url.host = `${loopback}:${String((server.address() as AddressInfo).port)}`;
    const pool = createPool({ databaseUrl: url.href, schema: 'public', max: 1, patienceMs: 100 });
    const close = async () => {
      await pool.end();
      server.close();
    };
    return { pool, [Symbol.asyncDispose]: close };
  }
  const faultOf = (query: Promise<unknown>) => query.then(() => null).catch((error: unknown) => error);

  it.each<[string, (client: Socket) => void]>([
    ['ends it', (client) => void client.end()],
    ['resets it', (client) => void client.resetAndDestroy()],
    ['gives no answer', () => undefined],
  ])('where the server %s', async (_, onQuery) => {
    await using database = await databaseWhere(onQuery);
    const fault = await faultOf(database.pool.query('select 1'));
    expect([fault, isPassingFault(fault)]).toEqual([expect.any(Error), true]);
  });

  it('for what is asked of it behind that, too', async () => {
    await using database = await databaseWhere((client) => void client.end());
    const client = await database.pool.connect();
    await faultOf(client.query('select 1'));
    const fault = await faultOf(client.query('select 2'));
    client.release(true);
    expect([fault, isPassingFault(fault)]).toEqual([expect.any(Error), true]);
  });
});
