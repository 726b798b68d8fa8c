import { PersonalFields, type PersonalRecord } from '@paywright/contracts';
import { intArray, uuidArray } from '@paywright/event-sourcing';
import { personalMessage, type OutgoingMessage } from '@paywright/messaging';
import type { Queryable } from '@paywright/read-model';
import type { Decoded, Projection } from '../following/projection.ts';
import type { PersonalEntry } from './personal-entry.ts';
import { personalProjection } from './personal.projection.ts';
import { selectNewerPersonal } from './personal.sql.ts';

interface StoredPersonal {
  profile_id: string;
  app_id: number;
  version: number;
  fields: unknown;
}

/**
 * The personal fields, with the topic itself kept true. A compacted topic keeps what was written last, whatever its version: a
 * record of an instance that was held up, written behind a newer one, would stay for good, and with it fields that were
 * erased. So where the topic's last word is older than the row, the row is written behind it. That is done before the offset
 * moves past the word: after a crash nobody would look at it again.
 * @param publish resolves once the messages are stored for good; if it throws, the records are to be handed in again
 */
export const toldNewest = (
  publish: (messages: readonly OutgoingMessage[]) => Promise<void>,
): Projection<PersonalEntry> => ({
  ...personalProjection,
  apply: async (database, records) => {
    const unhandled = await personalProjection.apply(database, records);
    const newer = await newerRows(database, records);
    if (newer.length > 0) await publish(newer.map(personalMessage));
    return unhandled;
  },
});

async function newerRows(
  database: Queryable,
  records: readonly Decoded<PersonalEntry>[],
): Promise<readonly PersonalRecord[]> {
  const last = new Map(
    records.flatMap(({ entry: { profileId, record } }) => (record === null ? [] : [[profileId, record.version]])),
  );
  if (last.size === 0) return [];
  const { rows } = await database.query<StoredPersonal>({
    name: 'select-newer-personal',
    text: selectNewerPersonal,
    values: [uuidArray([...last.keys()]), intArray([...last.values()])],
  });
  return rows.map(toRecord);
}

const toRecord = ({ profile_id: profileId, app_id: appId, version, fields }: StoredPersonal): PersonalRecord => ({
  appId,
  profileId,
  version,
  fields: PersonalFields.partial().parse(fields),
});
