import type { Transaction } from '@paywright/event-sourcing';
import { describeError, UndecodableMessage, type ReceivedMessage } from '@paywright/messaging';
import { keyInDatabase } from './dead-letters.ts';
import type { Decoded, Projection, Unhandled } from './projection.ts';

/** A record with what it means, or why it means nothing. */
export type ReadRecord<Entry> = Decoded<Entry> | { readonly message: ReceivedMessage; readonly reason: string };

/** Understands what can be understood. Never throws. */
export function readRecords<Entry>(
  projection: Projection<Entry>,
  messages: readonly ReceivedMessage[],
): readonly ReadRecord<Entry>[] {
  return messages.map((message) => {
    try {
      return { message, entry: projection.decode(message) };
    } catch (error) {
      return { message, reason: error instanceof UndecodableMessage ? error.message : describeError(error) };
    }
  });
}

/**
 * Applies records of one topic, those of a partition in their order. Behind one that cannot be handled the later ones of its key
 * wait, if the projection's records build on each other.
 * @param blocked the keys behind which records wait already
 * @returns the records to keep in place of being applied
 */
export async function projectRecords<Entry>(
  database: Transaction,
  projection: Projection<Entry>,
  records: readonly ReadRecord<Entry>[],
  blocked: ReadonlySet<string>,
): Promise<readonly Unhandled[]> {
  const held = new Set(blocked);
  const unhandled: Unhandled[] = [];
  const usable: Decoded<Entry>[] = [];
  for (const record of records) {
    const { message } = record;
    const key = keyInDatabase(message);
    if (key !== null && held.has(key)) unhandled.push({ message, reason: null });
    else if ('entry' in record) usable.push(record);
    else {
      unhandled.push(record);
      if (projection.ordered && key !== null) held.add(key);
    }
  }
  const early = usable.length > 0 ? await projection.apply(database, usable) : [];
  return [...unhandled, ...early];
}
