import type { Pool, PoolClient } from 'pg';

/** A connection within a transaction. */
export type Transaction = Pick<PoolClient, 'query'>;

/**
 * Runs the work in a transaction of one connection.
 * @returns what the work returns, once it is committed
 * @throws what the work throws; then nothing of it is left. A connection whose state is unknown is closed.
 */
export async function inTransaction<Result>(
  pool: Pool,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    // Not waited for: what follows on this connection comes behind it, and fails with it.
    const begun = client.query('begin');
    begun.catch(() => undefined);
    const result = await work(client);
    await begun;
    await client.query('commit');
    client.release();
    return result;
  } catch (error) {
    const rolledBack = await client.query('rollback').then(
      () => true,
      () => false,
    );
    client.release(!rolledBack);
    throw error;
  }
}
