import { codeOf } from '@paywright/platform';
import type { Pool, PoolClient, QueryConfig } from 'pg';

type Connection = Pick<PoolClient, 'query'>;

/** A connection within a transaction. */
export interface Transaction extends Connection {
  /** Sends a statement whose rows nobody needs. Nobody waits for it alone; if it fails, all of the work does. */
  send(statement: QueryConfig): void;
}

/**
 * Runs the work in a transaction of one connection.
 * @returns what the work returns, once it is committed
 * @throws what the work throws, or why a statement that it sent has failed; then nothing of it is left. A connection
 *   whose state is unknown is closed, and so is one that would fail again: see `ofConnection`
 */
export async function inTransaction<Result>(
  pool: Pool,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    const result = await sending(client, async (transaction) => {
      transaction.send({ text: 'begin' });
      const result = await work(transaction);
      const { command } = await client.query('commit');
      if (command !== 'COMMIT') throw new Error('Rolled back: a statement had failed, and nobody said so.');
      return result;
    });
    client.release();
    return result;
  } catch (error) {
    const rolledBack = await client.query('rollback').then(
      () => true,
      () => false,
    );
    client.release(!rolledBack || ofConnection.has(codeOf(error)));
    throw error;
  }
}

/**
 * SQLSTATEs that go with a connection: it leads to a former primary behind a failover, or has prepared statements of a
 * table that a migration has changed since (read_only_sql_transaction, "cached plan must not change result type").
 */
const ofConnection: ReadonlySet<string> = new Set(['25006', '0A000']);

/**
 * Runs work that sends statements on a connection.
 * @returns what the work returns, once all that it sent is done
 * @throws why the first statement that it sent has failed, since others fail of that; else what the work throws
 */
export async function sending<Result>(
  connection: Connection,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  let failure: { readonly error: unknown } | undefined;
  let last: Promise<unknown> = Promise.resolve(); // answered behind all that was sent before it
  const send = (statement: QueryConfig) => {
    last = connection.query(statement).catch((error: unknown) => (failure ??= { error }));
  };
  const [ended] = await Promise.allSettled([work({ query: connection.query.bind(connection), send })]);
  await last;
  if (failure) throw failure.error;
  if (ended.status === 'rejected') throw ended.reason;
  return ended.value;
}
