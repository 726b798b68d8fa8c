import pg from 'pg';
import { RebuildRefused, schemas } from './schemas.ts';

/** Any number that no one else uses. Whoever holds it is the only one to work on the schemas. */
const advisoryLock = 7_267_370_003n;
/**
 * For how long a transaction may ask for nothing. One that switches holds up the projection, and asks every two seconds at least: a
 * process that is cut off holds it up no longer than that.
 */
const longestIdle = '5s';

/**
 * Runs the work over a connection that nobody else has at the same time. The lock is the connection's own, and all that is
 * done to schemas is done over it: whoever has lost the lock can do nothing any more.
 * @throws RebuildRefused if another one is at work
 */
export async function withRebuildConnection<Result>(
  databaseUrl: string,
  work: (connection: pg.Client) => Promise<Result>,
): Promise<Result> {
  const connection = new pg.Client({
    connectionString: databaseUrl,
    options: `-c search_path=${schemas.next} -c idle_in_transaction_session_timeout=${longestIdle}`,
    application_name: 'paywright-rebuild',
    keepAlive: true,
  });
  connection.on('error', () => undefined); // its next query tells
  await connection.connect();
  try {
    const { rows } = await connection.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [
      advisoryLock,
    ]);
    if (!rows[0]?.mine)
      throw new RebuildRefused('Another rebuild is at work on this database: wait for it, or end it.');
    return await work(connection);
  } finally {
    await connection.end().catch(() => undefined);
  }
}

/** All of the work, or nothing. */
export async function transact<Result>(connection: pg.Client, work: () => Promise<Result>): Promise<Result> {
  await connection.query('begin');
  try {
    const result = await work();
    await connection.query('commit');
    return result;
  } catch (error) {
    await connection.query('rollback').catch(() => undefined);
    throw error;
  }
}
