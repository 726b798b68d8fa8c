import { inTransaction } from '@paywright/event-sourcing';
import { describeError, type ReceivedMessage } from '@paywright/messaging';
import { readModelChannel, type Queryable } from '@paywright/read-model';
import type pg from 'pg';
import { projectionName } from './dead-letters.ts';
import { deleteDeadLetter, recordAttempt, selectParked } from './dead-letter.sql.ts';
import { lockPartition } from './offsets.ts';
import { notify } from './partition-offset.sql.ts';
import { projectRecords, readRecords } from './project-records.ts';
import type { Projection } from './projection.ts';
import { isFaultOfRecords } from './refused-rows.ts';

interface ParkedRow {
  seq: string;
  key: string;
  partition: number;
  offset: string;
  headers: Record<string, string>;
  payload: Buffer | null;
  recorded_at: Date;
}

/** `applied` of the key's records are done; `waiting` are left, the first of which failed again for `reason`. */
export interface RetryResult {
  readonly applied: number;
  readonly waiting: number;
  readonly reason: string | null;
}

/**
 * Handles a key's records again, in order, until one fails; once none is left, the key is free. The projection
 * may run meanwhile: its transactions of that partition wait for this one.
 * @throws what the database throws when it is away; then nothing has changed
 */
export async function retryParked(pool: pg.Pool, projection: Projection, key: string): Promise<RetryResult> {
  return inTransaction(pool, async (transaction) => {
    const { topic } = projection;
    const [seen] = await parked(transaction, topic, key);
    if (seen === undefined) return { applied: 0, waiting: 0, reason: null };
    await lockPartition(transaction, topic, seen.partition);
    // Again, now that nobody adds any more.
    const rows = await parked(transaction, topic, key);
    for (const [applied, row] of rows.entries()) {
      const reason = await retryOne(transaction, projection, toMessage(topic, row));
      if (reason !== null) {
        await transaction.query(recordAttempt, [row.seq, reason]);
        return { applied, waiting: rows.length - applied, reason };
      }
      await transaction.query(deleteDeadLetter, [row.seq]);
    }
    if (projection.awaited) await transaction.query(notify, [readModelChannel]);
    return { applied: rows.length, waiting: 0, reason: null };
  });
}

async function parked(transaction: Queryable, topic: string, key: string): Promise<readonly ParkedRow[]> {
  const { rows } = await transaction.query<ParkedRow>(selectParked, [projectionName, topic, key]);
  return rows;
}

/** Null, or why the record cannot be handled still; then it has left no rows. */
async function retryOne(
  transaction: Queryable,
  projection: Projection,
  message: ReceivedMessage,
): Promise<string | null> {
  await transaction.query('savepoint one_record');
  try {
    const [unhandled] = await projectRecords(transaction, projection, readRecords(projection, [message]), new Set());
    return unhandled?.reason ?? null;
  } catch (error) {
    if (!isFaultOfRecords(error)) throw error;
    await transaction.query('rollback to savepoint one_record');
    return `The read model refuses it: ${describeError(error)}`;
  }
}

const toMessage = (
  topic: string,
  { key, partition, offset, headers, payload, recorded_at }: ParkedRow,
): ReceivedMessage => ({ topic, partition, offset, key, headers, value: payload, timestamp: recorded_at.getTime() });
