import pg from 'pg';
import { RebuildRefused, schemas } from './schemas.ts';

/** Any number that no one else uses. Whoever holds it leads: no other one works on the schemas. */
const advisoryLock = 7_267_370_003n;
/**
 * For how long a transaction may ask for nothing. One that switches holds up the projection, and asks every two seconds at least: a
 * process that is cut off holds it up no longer than that.
 */
const longestIdle = '5s';
/** The server asks a machine that is silent, and ends the connection of one that is gone: else it would lead for two hours. */
const untilGone = '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_user_timeout=20s';

/** Runs the work over a connection of its own, by which a process may lead. */
export async function withRebuildConnection<Result>(
  databaseUrl: string,
  work: (connection: pg.Client) => Promise<Result>,
): Promise<Result> {
  const connection = new pg.Client({
    connectionString: databaseUrl,
    options: `-c search_path=${schemas.next} -c idle_in_transaction_session_timeout=${longestIdle} ${untilGone}`,
    application_name: 'paywright-rebuild',
    keepAlive: true,
  });
  connection.on('error', () => undefined); // its next query tells
  await connection.connect();
  try {
    return await work(connection);
  } finally {
    await connection.end().catch(() => undefined);
  }
}

/**
 * Leads from here on, if nobody else does. The lock is the connection's own, and all that is done to schemas is done over it:
 * whoever has lost the lock can do nothing any more.
 */
export async function tryLead(connection: pg.Client): Promise<boolean> {
  const { rows } = await connection.query<{ leads: boolean }>('select pg_try_advisory_lock($1) as leads', [
    advisoryLock,
  ]);
  return rows[0]?.leads === true;
}

/** @throws RebuildRefused if another one leads */
export async function requireLead(connection: pg.Client): Promise<void> {
  if (!(await tryLead(connection)))
    throw new RebuildRefused('Another rebuild is at work on this database: wait for it, or end it.');
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
