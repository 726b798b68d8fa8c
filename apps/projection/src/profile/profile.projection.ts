import { intArray, textArray, timeArray, uuidArray, type Transaction } from '@paywright/event-sourcing';
import { topics, type CustomAttribute } from '@paywright/contracts';
import type { Queryable } from '@paywright/read-model';
import type { ProjectionDefects } from '../defects.ts';
import type { TellContradictions } from '../following/contradictions.ts';
import { eventProjection } from '../following/event-projection.ts';
import {
  profileEventsAt,
  storeProfileEvents,
  toProfileEventRow,
  type ProfileEventRow,
} from '../profile-events/profile-events.ts';
import { storeErasures } from './erasures.ts';
import { foldProfile, type Profile, type ProfileEvent } from './fold-profile.ts';
import { selectProfiles, upsertProfiles } from './profile.sql.ts';

/** An event, and its row in the timeline. */
export interface ProfileEntry extends ProfileEventRow {
  readonly event: ProfileEvent;
}

/** Who a user is: device context and custom attributes. */
export const profileProjection = (defects: ProjectionDefects, tell?: TellContradictions) =>
  eventProjection(
    {
      topic: topics.profileEvents,
      awaited: 'profile',
      waitsForDisk: true,
      read: (event, json): ProfileEntry => ({ ...toProfileEventRow(event, json), event }),
      load: loadProfiles,
      eventsAt: profileEventsAt('profile'),
      store: async (database, entries, rows) => {
        storeProfiles(database, foldAll(entries, rows));
        storeProfileEvents(database, 'profile', entries);
        await storeErasures(database, entries);
      },
    },
    defects,
    tell,
  );

/** The profiles that the events change, as they are after them. */
function foldAll(entries: readonly ProfileEntry[], rows: ReadonlyMap<string, Profile>): ReadonlyMap<string, Profile> {
  const changed = new Map<string, Profile>();
  for (const { stream, event } of entries)
    changed.set(stream, foldProfile(changed.get(stream) ?? rows.get(stream), event));
  return changed;
}

interface SelectedProfile {
  profile_id: string;
  app_id: number;
  version: number;
  fields: Profile['fields'];
  custom: CustomAttribute[];
  created_at: Date;
  updated_at: Date;
  erased_at: Date | null;
  erased_version: number | null;
}

async function loadProfiles(database: Queryable, profileIds: readonly string[]): Promise<ReadonlyMap<string, Profile>> {
  const { rows } = await database.query<SelectedProfile>({
    name: 'load-profiles',
    text: selectProfiles,
    values: [uuidArray(profileIds)],
  });
  return new Map(rows.map((row) => [row.profile_id, toProfile(row)]));
}

const toProfile = (row: SelectedProfile): Profile => ({
  appId: row.app_id,
  version: row.version,
  fields: row.fields,
  custom: row.custom,
  createdAt: row.created_at.getTime(),
  updatedAt: row.updated_at.getTime(),
  erasure:
    row.erased_at === null || row.erased_version === null
      ? null
      : { version: row.erased_version, at: row.erased_at.getTime() },
});

function storeProfiles(database: Transaction, profiles: ReadonlyMap<string, Profile>): void {
  const sorted = [...profiles].sort(([a], [b]) => (a < b ? -1 : 1));
  const rows = sorted.map(([, profile]) => profile);
  database.send({
    name: 'upsert-profiles',
    text: upsertProfiles,
    values: [
      uuidArray(sorted.map(([profileId]) => profileId)),
      intArray(rows.map(({ appId }) => appId)),
      intArray(rows.map(({ version }) => version)),
      textArray(rows.map(({ fields }) => JSON.stringify(fields))),
      textArray(rows.map(({ custom }) => JSON.stringify(custom))),
      timeArray(rows.map(({ createdAt }) => createdAt)),
      timeArray(rows.map(({ updatedAt }) => updatedAt)),
      timeArray(rows.map(({ erasure }) => erasure?.at ?? null)),
      intArray(rows.map(({ erasure }) => erasure?.version ?? null)),
    ],
  });
}
