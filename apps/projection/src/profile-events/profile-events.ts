import { intArray, textArray, timeArray, uuidArray, type Transaction } from '@paywright/event-sourcing';
import type { ReceivedEvent } from '@paywright/messaging';
import type { Queryable } from '@paywright/read-model';
import type { EventsAt } from '../following/contradictions.ts';
import type { Placed } from '../following/sift.ts';
import { insertProfileEvents, selectEventsAt, selectLastVersions } from './profile-event.sql.ts';

/** A row of `profile_event`. `time` in milliseconds since the epoch. */
export interface ProfileEventRow {
  readonly stream: string;
  readonly streamVersion: number;
  readonly id: string;
  readonly decisionId: string | null;
  readonly time: number;
  readonly appId: number;
  readonly type: string;
  readonly json: Buffer;
}

/** The services whose streams are profiles. */
type ProfileService = 'profile' | 'selection' | 'impression';

/** The row of an event of a profile, or of a model: selection's models have streams like profiles. */
export function toProfileEventRow(
  event: Extract<ReceivedEvent, { service: string; body: { appId: number } }>,
  json: Buffer,
): ProfileEventRow {
  const { stream, streamVersion, id, time, type, body } = event;
  const decisionId = 'decisionId' in body ? body.decisionId : null;
  return { stream, streamVersion, id, decisionId, time, appId: body.appId, type, json };
}

/** The last stored version of each of the profiles, by profile; one without events of the service is absent. */
export async function loadLastVersions(
  database: Queryable,
  service: ProfileService,
  profileIds: readonly string[],
): Promise<ReadonlyMap<string, { readonly version: number }>> {
  const { rows } = await database.query<{ profile_id: string; version: number }>({
    name: 'select-last-versions',
    text: selectLastVersions,
    values: [uuidArray(profileIds), service],
  });
  return new Map(rows.map(({ profile_id, version }) => [profile_id, { version }]));
}

/** What is stored of the service at these places. */
export const profileEventsAt =
  (service: ProfileService): EventsAt =>
  async (database, places) => {
    const { rows } = await database.query<Placed>({
      name: 'select-profile-events-at',
      text: selectEventsAt,
      values: [
        uuidArray(places.map(({ stream }) => stream)),
        intArray(places.map(({ streamVersion }) => streamVersion)),
        service,
      ],
    });
    return rows;
  };

/** Stores the events as they are, for the timeline and the decisions. */
export function storeProfileEvents(
  database: Transaction,
  service: ProfileService,
  rows: readonly ProfileEventRow[],
): void {
  database.send({
    name: 'insert-profile-events',
    text: insertProfileEvents,
    values: [
      service,
      uuidArray(rows.map(({ stream }) => stream)),
      uuidArray(rows.map(({ id }) => id)),
      uuidArray(rows.map(({ decisionId }) => decisionId)),
      timeArray(rows.map(({ time }) => time)),
      intArray(rows.map(({ streamVersion }) => streamVersion)),
      intArray(rows.map(({ appId }) => appId)),
      textArray(rows.map(({ type }) => type)),
      textArray(rows.map(({ json }) => json)),
    ],
  });
}
