import { topics, type PersonalRecord } from '@paywright/contracts';
import { intArray, textArray, uuidArray } from '@paywright/event-sourcing';
import type { Queryable } from '@paywright/read-model';
import type { Decoded, Projection, Unhandled } from '../following/projection.ts';
import { decodePersonal, type PersonalEntry } from './personal-entry.ts';
import { emptyPersonal, upsertPersonal } from './personal.sql.ts';

/**
 * The personal fields, each record whole: one that cannot be read is healed by the next, so nothing waits behind
 * it; and it is not kept with its dead letter.
 */
export const personalProjection: Projection<PersonalEntry> = {
  topic: topics.profilePersonal,
  ordered: false,
  awaited: {
    kind: 'personal',
    versionOf: ({ profileId, record }) => record && [profileId, record.version],
  },
  waitsForDisk: true,
  payloadKept: false,
  decode: decodePersonal,
  apply,
};

/** Of a profile's records in a batch the newest counts; a tombstone is a record of nothing, which older ones do not undo. */
async function apply(database: Queryable, records: readonly Decoded<PersonalEntry>[]): Promise<readonly Unhandled[]> {
  const emptied = new Set<string>();
  const newest = new Map<string, PersonalRecord>();
  for (const { entry } of records) {
    const { profileId, record } = entry;
    const known = newest.get(profileId);
    if (record === null) {
      emptied.add(profileId);
      if (known) newest.set(profileId, { ...known, fields: {} });
    } else if ((known?.version ?? 0) < record.version) newest.set(profileId, record);
  }
  if (emptied.size > 0) await database.query(emptyPersonal, [[...emptied].sort()]);
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
