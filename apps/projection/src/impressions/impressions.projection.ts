import { intArray, textArray, timeArray, uuidArray, type Transaction } from '@paywright/event-sourcing';
import { topics } from '@paywright/contracts';
import type { ProjectionDefects } from '../defects.ts';
import type { TellContradictions } from '../following/contradictions.ts';
import { eventProjection, type EventOn } from '../following/event-projection.ts';
import {
  loadLastVersions,
  profileEventsAt,
  storeProfileEvents,
  toProfileEventRow,
  type ProfileEventRow,
} from '../profile-events/profile-events.ts';
import { insertUniqueImpressions } from './unique-impression.sql.ts';

const topic = topics.impressionEvents;

interface FirstShowing {
  readonly paywallId: number;
  readonly placementId: string | null;
  readonly decisionId: string | null;
}

/** A client's batch, and the paywalls that its profile saw for the first time. */
interface ReportRow extends ProfileEventRow {
  readonly firstShowings: readonly FirstShowing[];
}

/** What clients reported, and the first showing of each paywall to each profile. */
export const impressionsProjection = (defects: ProjectionDefects, tell?: TellContradictions) =>
  eventProjection(
    {
      topic,
      awaited: null,
      read: (event, json): ReportRow => ({ ...toProfileEventRow(event, json), firstShowings: firstShowings(event) }),
      load: (database, streams) => loadLastVersions(database, 'impression', streams),
      eventsAt: profileEventsAt('impression'),
      store: (database, reports) => {
        storeProfileEvents(database, 'impression', reports);
        storeUniqueImpressions(database, reports);
      },
    },
    defects,
    tell,
  );

const firstShowings = ({ body }: EventOn<typeof topic>): readonly FirstShowing[] =>
  body.events.flatMap(({ uniqueImpression, paywallId, placementId, decisionId }) =>
    uniqueImpression && paywallId !== null ? { paywallId, placementId, decisionId } : [],
  );

function storeUniqueImpressions(database: Transaction, reports: readonly ReportRow[]): void {
  const shown = reports.flatMap(({ stream, time, appId, firstShowings }) =>
    firstShowings.map((showing) => ({ ...showing, stream, time, appId })),
  );
  if (shown.length === 0) return;
  database.send({
    name: 'insert-unique-impressions',
    text: insertUniqueImpressions,
    values: [
      uuidArray(shown.map(({ stream }) => stream)),
      intArray(shown.map(({ paywallId }) => paywallId)),
      intArray(shown.map(({ appId }) => appId)),
      textArray(shown.map(({ placementId }) => placementId)),
      uuidArray(shown.map(({ decisionId }) => decisionId)),
      timeArray(shown.map(({ time }) => time)),
    ],
  });
}
