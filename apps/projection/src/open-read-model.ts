import { openPool } from '@paywright/event-sourcing';
import type { ProcessContext } from '@paywright/platform';
import { readModelSchema } from '@paywright/read-model';
import type pg from 'pg';

/** The projection's connections. What must outlive a crash of the database as it is says so in its transaction. */
export const openReadModel = (
  databaseUrl: string,
  context: Pick<ProcessContext<unknown>, 'logger' | 'metrics'>,
): pg.Pool =>
  openPool(
    {
      name: 'read-model',
      databaseUrl,
      schema: readModelSchema,
      max: 6, // transactions at a time: more only wait for each other's processor
      patienceMs: 60_000,
      settings: {
        // Allowed here alone: rows and offset are lost together, which is found out, and read again.
        synchronous_commit: 'off',
        // A frozen owner's locks end before the group gives its partitions to another one.
        idle_in_transaction_session_timeout: '5s',
      },
    },
    context,
  );
