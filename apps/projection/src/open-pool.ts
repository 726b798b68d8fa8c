import { readModelSchema } from '@paywright/read-model';
import type { Logger } from '@paywright/platform';
import pg from 'pg';

/** Transactions at a time: more only wait for each other's processor. */
const maxConnections = 6;

const settings = {
  search_path: readModelSchema,
  // Allowed here alone: rows and offset are lost together, and read again.
  synchronous_commit: 'off',
  // A frozen owner's locks end before the group gives its partitions to another one.
  idle_in_transaction_session_timeout: '5s',
};

/** The projection's connections. Close it with `end`. */
export function openPool(databaseUrl: string, logger: Logger): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: maxConnections,
    connectionTimeoutMillis: 5_000,
    query_timeout: 60_000,
    keepAlive: true,
    options: Object.entries(settings)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
  });
  pool.on('error', (error) => logger.warn({ error }, 'An idle database connection was lost'));
  // One that is lost in a transaction tells its query; but it may say so again, and unheard that would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
