import { setTimeout as delay } from 'node:timers/promises';
import { readModelChannel } from '@paywright/read-model';
import pg from 'pg';
import type { Projection } from '../following/projection.ts';
import { carryOver, discardAsBefore } from './carry-over.ts';
import { adoptOwners, lockFolders, selectBehind, selectBehindShown } from './offsets.sql.ts';
import { transact } from './rebuild-connection.ts';
import { schemas } from './schemas.ts';

/**
 * How long writers of the read model may be kept waiting: by each lock that waits for them, by those few records, and by what is
 * still being folded in.
 */
const patienceMs = 2_000;
const pollMs = 5;

/**
 * In the order in which writers lock them. Who folds begins with the offsets, who acts on dead letters with these or with the
 * offsets: so no other table has to be locked. Readers are not kept waiting by this mode.
 */
const lockWriters = `
  lock table ${schemas.live}.projection_offset, ${schemas.live}.dead_letter, ${schemas.live}.audit in exclusive mode`;

export interface SwitchOptions {
  readonly connection: pg.Client;
  readonly projections: readonly Projection[];
  readonly now: () => number;
}

/** Not at this moment: the next one is behind. */
class NotNow extends Error {}

/**
 * Puts the next read model in the place of the one that is read, in one transaction. Its writers wait meanwhile, and go on with
 * the new one: Postgres looks up names again, also those of prepared statements, once a schema was renamed. For the same reason
 * nobody who folded, in whichever process, finds a table to go on with.
 * @returns whether it was done; if not, nothing has changed, and it may be tried again
 * @throws RebuildRefused if the next one would show less
 */
export async function switchOver({ connection, projections, now }: SwitchOptions): Promise<boolean> {
  try {
    await transact(connection, async () => {
      await connection.query(`set local lock_timeout = ${patienceMs}`);
      await connection.query(lockWriters);
      await untilLevel(connection, now);
      await connection.query(lockFolders);
      await discardAsBefore(connection, projections);
      await carryOver(connection, now());
      await connection.query(adoptOwners);
      await connection.query(`alter schema ${schemas.live} rename to ${schemas.former}`);
      await connection.query(`alter schema ${schemas.next} rename to ${schemas.live}`);
      await connection.query('select pg_notify($1, $2)', [readModelChannel, '']);
    });
    return true;
  } catch (error) {
    if (error instanceof NotNow || isLockTimeout(error)) return false;
    throw error;
  }
}

/** The present one stands still, so this ends. */
async function untilLevel(connection: pg.Client, now: () => number): Promise<void> {
  for (const until = now() + patienceMs; (await recordsBehind(connection)) > 0; await delay(pollMs))
    if (now() > until) throw new NotNow();
}

/**
 * How many records the next one has still to fold in, of those that the present one shows.
 * @param shown what it showed at a moment (`selectShown`), if it is about these alone
 */
export async function recordsBehind(connection: Pick<pg.Client, 'query'>, shown?: readonly unknown[]): Promise<number> {
  const { rows } = await (shown
    ? connection.query<{ behind: number }>(selectBehindShown, [JSON.stringify(shown)])
    : connection.query<{ behind: number }>(selectBehind));
  return rows[0]?.behind ?? 0;
}

const isLockTimeout = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.code === '55P03' || error.code === '40P01');
