import type { Transaction } from '@paywright/event-sourcing';
import { projectionName } from './dead-letters.ts';
import { selectBlocking } from './dead-letter.sql.ts';
import { versionOf } from './message-identity.ts';
import type { Projection, Unhandled } from './projection.ts';
import { loadParked, retryParked } from './retry-parked.ts';

/** Who folded in what a gap had stopped, in place of a person. */
const actor = 'projection';

/**
 * Looks whether what was parked now is what the dead letters of its key wait for: a version before theirs, which comes late. Then
 * the queue is folded in, as far as it goes.
 * @param parked kept already, of one topic and partition, which the transaction has locked
 * @returns what is left of it, and what only waited before and is a dead letter now
 */
export async function closeGaps(
  transaction: Transaction,
  projection: Projection,
  parked: readonly Unhandled[],
  now: number,
): Promise<readonly Unhandled[]> {
  const lowest = lowestVersions(parked);
  if (lowest.size === 0) return parked;
  const values = [projectionName, projection.topic, [...lowest.keys()]];
  const { rows } = await transaction.query<{ key: string; headers: Record<string, string> }>(selectBlocking, values);
  const gapped = rows.filter((letter) => (versionOf(letter) ?? 0) > lowest.get(letter.key)!);
  const left = new Map(parked.map((record) => [record.message.offset, record]));
  for (const key of new Set(gapped.map((letter) => letter.key))) {
    const queue = await loadParked(transaction, projection.topic, key);
    const { applied, failed } = await retryParked(transaction, projection, queue, { actor, now });
    for (const { message } of queue.slice(0, applied)) left.delete(message.offset);
    if (failed && (!failed.isLetter || left.has(failed.message.offset))) left.set(failed.message.offset, failed);
  }
  return [...left.values()];
}

/** Of what only waits, by key. */
function lowestVersions(parked: readonly Unhandled[]): ReadonlyMap<string, number> {
  const lowest = new Map<string, number>();
  for (const { message, reason } of parked) {
    const version = reason === null && message.key !== null ? versionOf(message) : null;
    if (version !== null) lowest.set(message.key!, Math.min(version, lowest.get(message.key!) ?? Infinity));
  }
  return lowest;
}
