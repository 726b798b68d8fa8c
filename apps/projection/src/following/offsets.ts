import type { Transaction } from '@paywright/event-sourcing';
import type { Queryable } from '@paywright/read-model';
import { projectionName } from './dead-letters.ts';
import { lockOffsets, lockOwnedOffsets, moveOffsets, selectOffsets } from './partition-offset.sql.ts';
import type { PartitionOwner } from './partition-owner.ts';

interface OffsetRow {
  partition: number;
  next_offset: string;
}

/**
 * The offsets to read next of one topic's partitions, locked until the transaction ends.
 * @param fenced false: also of partitions that another one has claimed
 * @returns by partition; one that another one has claimed is absent
 */
export async function lockOwned(
  transaction: Queryable,
  owners: readonly PartitionOwner[],
  fenced = true,
): Promise<ReadonlyMap<number, string>> {
  const place = [projectionName, owners[0]?.topic, owners.map(({ partition }) => partition)];
  const claims = [owners.map(({ epoch }) => epoch), owners[0]?.table];
  const { rows } = fenced
    ? await transaction.query<OffsetRow>({ name: 'lock-owned', text: lockOwnedOffsets, values: [...place, ...claims] })
    : await transaction.query<OffsetRow>(lockOffsets, place);
  return new Map(rows.map(({ partition, next_offset }) => [partition, next_offset]));
}

/** Locks a partition's row for whoever is no owner and moves no offset. @returns the offset to read next */
export async function lockPartition(transaction: Queryable, topic: string, partition: number): Promise<string> {
  const { rows } = await transaction.query<OffsetRow>(lockOffsets, [projectionName, topic, [partition]]);
  return rows[0]?.next_offset ?? '0';
}

/** @returns the offsets to read next of one topic's partitions; one that has none is absent */
export async function storedOffsets(
  database: Queryable,
  owners: readonly PartitionOwner[],
): Promise<ReadonlyMap<number, string>> {
  const values = [projectionName, owners[0]?.topic, owners.map(({ partition }) => partition)];
  const { rows } = await database.query<OffsetRow>({ name: 'select-offsets', text: selectOffsets, values });
  return new Map(rows.map(({ partition, next_offset }) => [partition, next_offset]));
}

/** Never backwards. The partitions are of one topic, and locked. */
export function moveBehind(
  transaction: Transaction,
  moves: readonly { readonly owner: PartitionOwner; readonly next: string }[],
): void {
  if (moves.length === 0) return;
  const partitions = moves.map(({ owner }) => owner.partition);
  const offsets = moves.map(({ next }) => next);
  const values = [projectionName, moves[0]?.owner.topic, partitions, offsets];
  transaction.send({ name: 'move-offsets', text: moveOffsets, values });
}
