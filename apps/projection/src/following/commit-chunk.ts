import { inTransaction, textArray, type Transaction } from '@paywright/event-sourcing';
import { offsetAfter, type Failpoint } from '@paywright/messaging';
import type { Clock } from '@paywright/platform';
import { notificationsOf, readModelChannel } from '@paywright/read-model';
import type pg from 'pg';
import type { ProjectionDefects } from '../defects.ts';
import { closeGaps } from './close-gaps.ts';
import { keepUnhandled, keptLetters, keyInDatabase, stillBlocked } from './dead-letters.ts';
import { lockOwned, moveBehind } from './offsets.ts';
import { notify } from './partition-offset.sql.ts';
import type { PartitionOwner } from './partition-owner.ts';
import { projectRecords, type ReadRecord } from './project-records.ts';
import type { Projection, Unhandled } from './projection.ts';

export interface CommitOptions {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly defects: ProjectionDefects;
  readonly failpoint: Failpoint;
}

/** What a chunk holds of one partition: in offset order, at least one record. */
export interface ChunkPart<Entry> {
  readonly owner: PartitionOwner;
  readonly records: readonly ReadRecord<Entry>[];
}

/**
 * How a chunk ended for a partition: its rows are there; or it begins behind the stored offset, which is to be read
 * from; or another one has claimed the partition.
 */
export type PartEnd =
  | { readonly kind: 'done'; readonly unhandled: readonly Unhandled[] }
  | { readonly kind: 'ahead'; readonly next: string }
  | { readonly kind: 'fenced' };

/** A part whose partition is ours, with the offset that was stored before it. */
interface Placed<Entry> extends ChunkPart<Entry> {
  readonly stored: string;
}

interface Positions<Entry> {
  readonly placed: readonly Placed<Entry>[];
  /** The ends of the other parts. */
  readonly ends: ReadonlyMap<PartitionOwner, PartEnd>;
}

/**
 * Folds records of some partitions of a topic in: the rows, what could not be handled, and the offsets in one
 * transaction. A partition that is not to be read here stays as it is, and the others go on.
 * @returns an end a part, in order
 * @throws what the database throws; then nothing has changed
 */
export async function commitChunk<Entry>(
  projection: Projection<Entry>,
  parts: readonly ChunkPart<Entry>[],
  { pool, clock, defects, failpoint }: CommitOptions,
): Promise<readonly PartEnd[]> {
  const offsetsAlone = defects.has('projection-offset-outside-transaction');
  const apply = (transaction: Transaction, placed: readonly Placed<Entry>[]) =>
    applyFrom(transaction, projection, placed, clock.now());

  const { positions, applied } = await inTransaction(pool, async (transaction) => {
    if (projection.waitsForDisk) transaction.send({ text: 'set local synchronous_commit = on' });
    const positions = await takePositions(transaction, parts, !defects.has('no-fencing'));
    return { positions, applied: offsetsAlone ? null : await apply(transaction, positions.placed) };
  });
  for (const { owner, records } of positions.placed) owner.readsFrom = offsetBehind(records);
  failpoint('after_projection_commit');
  const unhandled = applied ?? (await inTransaction(pool, (transaction) => apply(transaction, positions.placed)));
  return parts.map(({ owner }) => positions.ends.get(owner) ?? done(projection, owner, unhandled));
}

function done(projection: Projection, owner: PartitionOwner, all: readonly Unhandled[]): PartEnd {
  const unhandled = all.filter(({ message }) => message.partition === owner.partition);
  if (projection.ordered) for (const { message } of unhandled) owner.block(keyInDatabase(message));
  return { kind: 'done', unhandled };
}

/** Checks the records against the stored offsets, and moves these behind them. */
async function takePositions<Entry>(
  transaction: Transaction,
  parts: readonly ChunkPart<Entry>[],
  fenced: boolean,
): Promise<Positions<Entry>> {
  const offsets = await lockOwned(
    transaction,
    parts.map(({ owner }) => owner),
    fenced,
  );
  const placed: Placed<Entry>[] = [];
  const ends = new Map<PartitionOwner, PartEnd>();
  for (const part of parts) {
    const { owner, records } = part;
    const stored = offsets.get(owner.partition);
    if (stored === undefined) ends.set(owner, { kind: 'fenced' });
    // Where the log was read from the stored offset on, and begins above it, it holds nothing in between. That a
    // batch was found ahead sends nobody back yet: it may come again before, and must not pass for what follows.
    else if (firstOffset(records) > BigInt(stored) && owner.readsFrom !== stored)
      ends.set(owner, { kind: 'ahead', next: stored });
    else placed.push({ ...part, stored });
  }
  const moves = placed.map(({ owner, records }) => ({ owner, next: offsetBehind(records) }));
  moveBehind(transaction, moves);
  return { placed, ends };
}

const firstOffset = (records: readonly ReadRecord<unknown>[]): bigint => BigInt(records[0]?.message.offset ?? 0);
const offsetBehind = (records: readonly ReadRecord<unknown>[]): string => offsetAfter(records.at(-1)!.message.offset);

/** Applies what is not below the stored offsets. Dead letters below are told again: their mirroring may have failed. */
async function applyFrom<Entry>(
  transaction: Transaction,
  projection: Projection<Entry>,
  placed: readonly Placed<Entry>[],
  now: number,
): Promise<readonly Unhandled[]> {
  const told: Unhandled[] = [];
  const fresh: ReadRecord<Entry>[] = [];
  const blocked = new Set<string>();
  for (const { owner, records, stored } of placed) {
    const isNew = ({ message }: ReadRecord<Entry>) => BigInt(message.offset) >= BigInt(stored);
    const known = records.filter((record) => !isNew(record)).map(({ message }) => message);
    told.push(...(await keptLetters(transaction, known)));
    const ownFresh = records.filter(isNew);
    for (const key of await blockedAmong(transaction, owner, ownFresh)) blocked.add(key);
    fresh.push(...ownFresh);
  }
  if (fresh.length === 0) return told;
  const unhandled = await projectRecords(transaction, projection, fresh, blocked);
  const waiting: Unhandled[] = [];
  for (const { owner } of placed) {
    const own = unhandled.filter(({ message }) => message.partition === owner.partition);
    await keepUnhandled(transaction, projection, own, now);
    waiting.push(...(projection.ordered ? await closeGaps(transaction, projection, own, now) : own));
  }
  tell(transaction, projection, fresh, unhandled);
  return [...told, ...waiting];
}

/** Tells whoever waits which versions can be seen once the transaction has ended. */
function tell<Entry>(
  transaction: Transaction,
  { awaited }: Projection<Entry>,
  records: readonly ReadRecord<Entry>[],
  unhandled: readonly Unhandled[],
): void {
  if (awaited === null) return;
  const held = new Set(unhandled.map(({ message }) => message));
  const versions = new Map<string, number>();
  for (const record of records) {
    const shown = 'entry' in record && !held.has(record.message) ? awaited.versionOf(record.entry) : null;
    if (shown === null) continue;
    const [key, version] = shown;
    versions.set(key, Math.max(version, versions.get(key) ?? 0));
  }
  const texts = notificationsOf({ kind: awaited.kind, versions });
  if (texts.length > 0)
    transaction.send({ name: 'notify', text: notify, values: [readModelChannel, textArray(texts)] });
}

/** Asks the database only where the owner remembers a blocked key: meanwhile it may have been freed. */
async function blockedAmong(
  transaction: Transaction,
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
