import { sending } from '@paywright/event-sourcing';
import { describeError, type ReceivedMessage } from '@paywright/messaging';
import { readModelChannel, type Queryable } from '@paywright/read-model';
import { projectionName } from './dead-letters.ts';
import { deleteParked, recordAttempt, selectParked, settleRetried } from './dead-letter.sql.ts';
import { versionOf } from './message-identity.ts';
import { notify } from './partition-offset.sql.ts';
import { projectRecords, readRecords } from './project-records.ts';
import type { Projection } from './projection.ts';
import { isFaultOfRecords } from './refused-rows.ts';

/** A record that waits in the table, in the place that it had in its topic. A letter does not merely wait: it failed. */
export interface ParkedRecord {
  readonly seq: string;
  readonly isLetter: boolean;
  readonly message: ReceivedMessage;
}

/** Who has records handled again, and when, in milliseconds since the epoch. */
export interface Retry {
  readonly actor: string;
  readonly now: number;
}

/** `applied` of the records are done; `waiting` are left, the first of which is `failed` for its `reason`. */
export interface RetryResult {
  readonly applied: number;
  readonly waiting: number;
  readonly failed: (ParkedRecord & { readonly reason: string }) | null;
}

/**
 * A key's records that wait, in the order of their stream: a version that was missing may have come behind those that it stopped.
 * Complete only while the transaction has its partition locked.
 */
export async function loadParked(
  transaction: Queryable,
  topic: string,
  key: string | null,
): Promise<readonly ParkedRecord[]> {
  const { rows } = await transaction.query<ParkedRow>(selectParked, [projectionName, topic, key]);
  const inLog = rows.map(({ seq, partition, offset, headers, payload, error, recorded_at }) => ({
    seq,
    isLetter: error !== null,
    message: { topic, partition, offset, key, headers, value: payload, timestamp: recorded_at.getTime() },
  }));
  return inStream(inLog);
}

/** What is no event of the stream keeps its place behind the one that came before it. */
function inStream(inLog: readonly ParkedRecord[]): readonly ParkedRecord[] {
  let last = 0;
  const placed = inLog.map((record) => ({ record, version: (last = versionOf(record.message) ?? last) }));
  return placed.toSorted((a, b) => a.version - b.version).map(({ record }) => record);
}

/**
 * Handles records of a key again, in order, until one fails: that is a dead letter, again or from now on, and the others
 * wait behind it.
 * @param transaction has the records' partition locked: the projection, which may run meanwhile, waits for it
 * @throws what the database throws when it is away
 */
export async function retryParked(
  transaction: Queryable,
  projection: Projection,
  queue: readonly ParkedRecord[],
  retry: Retry,
): Promise<RetryResult> {
  const { applied, reason } = await applyInOrder(transaction, projection, queue);
  const seqs = queue.slice(0, applied).map(({ seq }) => seq);
  await transaction.query(settleRetried, [seqs, new Date(retry.now), retry.actor]);
  await transaction.query(deleteParked, [seqs]);
  const failed = reason === null ? undefined : queue[applied];
  if (failed) await transaction.query(recordAttempt, [failed.seq, reason, new Date(retry.now)]);
  if (projection.awaited && applied > 0) await transaction.query(notify, [readModelChannel, ['']]);
  return {
    applied,
    waiting: queue.length - applied,
    failed: failed && reason !== null ? { ...failed, reason } : null,
  };
}

/**
 * All at once, as they mostly are mended; where one of them is not, it is looked for by halves: of a long queue each record by
 * itself would hold the partition up for minutes.
 */
async function applyInOrder(
  transaction: Queryable,
  projection: Projection,
  queue: readonly ParkedRecord[],
): Promise<Applied> {
  const messages = queue.map(({ message }) => message);
  const reason = await tryToApply(transaction, projection, messages);
  if (reason === null) return { applied: queue.length, reason };
  if (queue.length === 1) return { applied: 0, reason };
  const middle = Math.ceil(queue.length / 2);
  const first = await applyInOrder(transaction, projection, queue.slice(0, middle));
  if (first.reason !== null) return first;
  const second = await applyInOrder(transaction, projection, queue.slice(middle));
  return { applied: middle + second.applied, reason: second.reason };
}

/** How many are done, and why the one behind them is not; null if there is none. */
interface Applied {
  readonly applied: number;
  readonly reason: string | null;
}

/** Null, or why one of the records cannot be handled still; then none of them has left rows. */
async function tryToApply(
  transaction: Queryable,
  projection: Projection,
  messages: readonly ReceivedMessage[],
): Promise<string | null> {
  if (messages.length === 0) return null;
  await transaction.query('savepoint retried');
  const reason = await reasonAgainst(transaction, projection, messages);
  if (reason !== null) await transaction.query('rollback to savepoint retried');
  await transaction.query('release savepoint retried'); // else each one would lie within all before it
  return reason;
}

async function reasonAgainst(
  transaction: Queryable,
  projection: Projection,
  messages: readonly ReceivedMessage[],
): Promise<string | null> {
  try {
    const records = readRecords(projection, messages);
    const unhandled = await sending(transaction, (attempt) => projectRecords(attempt, projection, records, new Set()));
    return unhandled.find(({ reason }) => reason !== null)?.reason ?? null;
  } catch (error) {
    if (!isFaultOfRecords(error)) throw error;
    return `The read model refuses it: ${describeError(error)}`;
  }
}

interface ParkedRow {
  seq: string;
  partition: number;
  offset: string;
  headers: Record<string, string>;
  payload: Buffer | null;
  error: string | null;
  recorded_at: Date;
}
