import type { Queryable } from '@paywright/read-model';
import { storedOffsets } from './offsets.ts';
import type { PartitionOwner } from './partition-owner.ts';

/** A partition whose stored offset is below what was handled. */
export interface FallenBehind {
  readonly owner: PartitionOwner;
  readonly stored: string;
}

/**
 * Finds partitions of which the database has lost what was handled, rows with offsets: it crashed before its last
 * commits were on its disk, or was restored. Each is told until the reader was sent back.
 * @param owners of one topic's partitions
 */
export async function findFallenBehind(
  database: Queryable,
  owners: readonly PartitionOwner[],
): Promise<readonly FallenBehind[]> {
  const expected = new Map(owners.map((owner) => [owner, owner.readsFrom]));
  const offsets = await storedOffsets(database, owners);
  const fallen: FallenBehind[] = [];
  for (const [owner, readsFrom] of expected) {
    const stored = offsets.get(owner.partition) ?? '0';
    // What was handled meanwhile has met the stored offset itself.
    if (readsFrom === null || owner.readsFrom !== readsFrom || BigInt(stored) >= BigInt(readsFrom)) continue;
    fallen.push({ owner, stored });
  }
  return fallen;
}
