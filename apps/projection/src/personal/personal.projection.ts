import { PersonalRecord, topics } from '@paywright/contracts';
import { UndecodableMessage, type ReceivedMessage } from '@paywright/messaging';
import type { Queryable } from '@paywright/read-model';
import { z } from 'zod';
import { intArray, textArray, uuidArray } from '../columns/binary-array.ts';
import type { Decoded, Projection, Unhandled } from '../following/projection.ts';
import { deletePersonal, upsertPersonal } from './personal.sql.ts';

/** What a profile's personal fields are from now on; null: erased. */
interface PersonalEntry {
  readonly profileId: string;
  readonly record: PersonalRecord | null;
}

const Key = z.uuid();

/**
 * The personal fields, each record whole: one that cannot be read is healed by the next, so nothing waits behind
 * it; and it is not kept with its dead letter.
 */
export const personalProjection: Projection<PersonalEntry> = {
  topic: topics.profilePersonal,
  ordered: false,
  awaited: true,
  payloadKept: false,
  decode,
  apply,
};

function decode({ key, value }: ReceivedMessage): PersonalEntry {
  const profileId = Key.safeParse(key);
  if (!profileId.success) throw new UndecodableMessage('The key is no profile id.');
  if (value === null) return { profileId: profileId.data, record: null };
  const record = PersonalRecord.safeParse(parseJson(value));
  if (!record.success) throw new UndecodableMessage(`Faulty: ${faultyPaths(record.error)}.`);
  if (record.data.profileId !== profileId.data) throw new UndecodableMessage('profileId is not the key of the record.');
  return { profileId: profileId.data, record: record.data };
}

function parseJson(value: Buffer): unknown {
  try {
    return JSON.parse(value.toString());
  } catch {
    throw new UndecodableMessage('The record is not JSON.');
  }
}

/** Where, never what: the values are personal. */
const faultyPaths = ({ issues }: z.ZodError) => issues.map(({ path }) => path.join('.') || '(all)').join(', ');

/** Of a profile's records in a batch the last one since its last tombstone counts, whichever is newest. */
async function apply(database: Queryable, records: readonly Decoded<PersonalEntry>[]): Promise<readonly Unhandled[]> {
  const erased = new Set<string>();
  const newest = new Map<string, PersonalRecord>();
  for (const { entry } of records) {
    const { profileId, record } = entry;
    if (record === null) {
      erased.add(profileId);
      newest.delete(profileId);
    } else if ((newest.get(profileId)?.version ?? 0) < record.version) newest.set(profileId, record);
  }
  if (erased.size > 0) await database.query(deletePersonal, [[...erased]]);
  if (newest.size > 0) await store(database, [...newest.values()]);
  return [];
}

async function store(database: Queryable, records: readonly PersonalRecord[]): Promise<void> {
  const sorted = records.toSorted((a, b) => (a.profileId < b.profileId ? -1 : 1));
  await database.query({
    name: 'upsert-personal',
    text: upsertPersonal,
    values: [
      uuidArray(sorted.map(({ profileId }) => profileId)),
      intArray(sorted.map(({ appId }) => appId)),
      intArray(sorted.map(({ version }) => version)),
      textArray(sorted.map(({ fields }) => JSON.stringify(fields))),
      textArray(sorted.map(({ fields }) => fields.customerUserId ?? null)),
    ],
  });
}
