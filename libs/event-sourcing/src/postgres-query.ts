import { sqlFaultOf } from '@paywright/platform';
import type { PoolClient, QueryResultRow } from 'pg';
import { DatabaseError } from 'pg';
import { AppendConflict, AppendRejected, StoreUnavailable } from './event-store.ts';

/** A statement that each connection prepares once, by its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

interface Connections {
  connect(): Promise<PoolClient>;
}

/**
 * Runs the statement on a connection, and closes that connection only if it may be broken.
 * @param isWanted asked once the connection is there, which may be a new one
 * @throws AppendConflict, also where it is not wanted; AppendRejected, StoreUnavailable
 */
export async function query<Row extends QueryResultRow>(
  connections: Connections,
  { name, text }: Statement,
  values: readonly unknown[],
  isWanted: () => boolean = () => true,
): Promise<Row[]> {
  const client = await connections.connect().catch((error: unknown) => {
    throw storeError(error);
  });
  if (!isWanted()) {
    client.release();
    throw new AppendConflict('another server');
  }
  try {
    const { rows } = await client.query<Row>({ name, text, values: [...values] });
    client.release();
    return rows;
  } catch (error) {
    const fault = storeError(error);
    client.release(fault instanceof StoreUnavailable);
    throw fault;
  }
}

// unique_violation, serialization_failure, deadlock_detected; cardinality_violation: two writers in one statement
const conflicts = new Set(['23505', '40001', '40P01', '21000']);

/** A database's or driver's error as the event store's port knows it. No message quotes a value. */
function storeError(error: unknown): Error {
  if (!(error instanceof DatabaseError)) return new StoreUnavailable('the database was not reached', { cause: error });
  const { code = 'unknown', constraint } = error;
  if (conflicts.has(code)) return new AppendConflict(constraint ?? code);
  // The same append would fail for ever.
  if (sqlFaultOf(error) === 'rows') return new AppendRejected(`The store refused it: SQLSTATE ${code}.`);
  return new StoreUnavailable(`SQLSTATE ${code}`, { cause: error });
}
