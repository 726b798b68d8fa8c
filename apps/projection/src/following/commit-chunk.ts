import { offsetAfter, type Failpoint } from '@paywright/messaging';
import type { Clock } from '@paywright/platform';
import { readModelChannel, type Queryable } from '@paywright/read-model';
import type pg from 'pg';
import type { ProjectionDefects } from '../defects.ts';
import { keepUnhandled, keptLetters, keyInDatabase, stillBlocked } from './dead-letters.ts';
import { notify } from './partition-offset.sql.ts';
import type { PartitionOwner } from './partition-owner.ts';
import { projectRecords, type ReadRecord } from './project-records.ts';
import type { Projection, Unhandled } from './projection.ts';
import { inTransaction } from './transaction.ts';

export interface CommitOptions {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly defects: ProjectionDefects;
  readonly failpoint: Failpoint;
}

/**
 * How a chunk ended: its rows are there; or it begins behind the stored offset, which is to be read from;
 * or another one has claimed the partition.
 */
export type ChunkEnd =
  | { readonly kind: 'done'; readonly unhandled: readonly Unhandled[] }
  | { readonly kind: 'ahead'; readonly next: string }
  | { readonly kind: 'fenced' };

type Position = { readonly kind: 'at'; readonly stored: string } | Exclude<ChunkEnd, { kind: 'done' }>;

/**
 * Folds records of one partition in: the rows, what could not be handled, and the offset in one transaction.
 * @param records in offset order, at least one
 * @throws what the database throws; then nothing has changed
 */
export async function commitChunk<Entry>(
  projection: Projection<Entry>,
  owner: PartitionOwner,
  records: readonly ReadRecord<Entry>[],
  { pool, clock, defects, failpoint }: CommitOptions,
): Promise<ChunkEnd> {
  const offsetAlone = defects.has('projection-offset-outside-transaction');
  const apply = (transaction: Queryable, stored: string) =>
    applyFrom(transaction, projection, owner, records, stored, clock.now());

  const first = await inTransaction(pool, async (transaction) => {
    const position = await takePosition(transaction, owner, records);
    return position.kind === 'at' && !offsetAlone ? apply(transaction, position.stored) : position;
  });
  if (first.kind === 'ahead') owner.readsFrom = first.next;
  if (first.kind === 'ahead' || first.kind === 'fenced') return first;
  failpoint('after_projection_commit');
  const end =
    first.kind === 'at' ? await inTransaction(pool, (transaction) => apply(transaction, first.stored)) : first;
  if (projection.ordered) for (const { message } of end.unhandled) owner.block(keyInDatabase(message));
  return end;
}

/** Checks the records against the stored offset, and moves it behind them. */
async function takePosition(
  transaction: Queryable,
  owner: PartitionOwner,
  records: readonly ReadRecord<unknown>[],
): Promise<Position> {
  const [first, last] = [records.at(0), records.at(-1)];
  const stored = await owner.lockOffset(transaction);
  if (stored === null || first === undefined || last === undefined) return { kind: 'fenced' };
  // Where the log was read from the stored offset on, and begins above it, it holds nothing in between.
  if (BigInt(first.message.offset) > BigInt(stored) && owner.readsFrom !== stored)
    return { kind: 'ahead', next: stored };
  await owner.moveOffset(transaction, offsetAfter(last.message.offset));
  return { kind: 'at', stored };
}

/** Applies what is not below the stored offset. Dead letters below it are told again: their mirroring may have failed. */
async function applyFrom<Entry>(
  transaction: Queryable,
  projection: Projection<Entry>,
  owner: PartitionOwner,
  records: readonly ReadRecord<Entry>[],
  stored: string,
  now: number,
): Promise<Extract<ChunkEnd, { kind: 'done' }>> {
  const isNew = ({ message }: ReadRecord<Entry>) => BigInt(message.offset) >= BigInt(stored);
  const known = records.filter((record) => !isNew(record)).map(({ message }) => message);
  const told = await keptLetters(transaction, known);
  const fresh = records.filter(isNew);
  if (fresh.length === 0) return { kind: 'done', unhandled: told };
  const unhandled = await projectRecords(transaction, projection, fresh, await blockedAmong(transaction, owner, fresh));
  await keepUnhandled(transaction, projection, unhandled, now);
  if (projection.awaited) await transaction.query({ name: 'notify', text: notify, values: [readModelChannel] });
  return { kind: 'done', unhandled: [...told, ...unhandled] };
}

/** Asks the database only where the owner remembers a blocked key: meanwhile it may have been freed. */
async function blockedAmong(
  transaction: Queryable,
  owner: PartitionOwner,
  records: readonly ReadRecord<unknown>[],
): Promise<ReadonlySet<string>> {
  if (owner.blocked.size === 0) return owner.blocked;
  const keys = records.flatMap(({ message }) => keyInDatabase(message) ?? []);
  const suspects = new Set(keys.filter((key) => owner.blocked.has(key)));
  const blocked = await stillBlocked(transaction, owner.topic, [...suspects]);
  for (const key of suspects) if (!blocked.has(key)) owner.free(key);
  return blocked;
}
