import type { Queryable } from '@paywright/read-model';
import type pg from 'pg';

/**
 * Runs the work in a transaction of one connection.
 * @returns what the work returns, once it is committed
 * @throws what the work throws; then nothing of it is left. A connection whose state is unknown is closed.
 */
export async function inTransaction<Result>(
  pool: pg.Pool,
  work: (database: Queryable) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await work(client);
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
