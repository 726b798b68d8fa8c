import { topics } from '@paywright/contracts';
import type { ProjectionDefects } from '../defects.ts';
import { eventProjection } from '../following/event-projection.ts';
import { loadLastVersions, storeProfileEvents, toProfileEventRow } from '../profile-events/profile-events.ts';

/** Which paywall was chosen for whom, and which choices do not count. */
export const decisionsProjection = (defects: ProjectionDefects) =>
  eventProjection(
    {
      topic: topics.selectionEvents,
      awaited: false,
      read: toProfileEventRow,
      load: (database, streams) => loadLastVersions(database, 'selection', streams),
      store: (database, rows) => storeProfileEvents(database, 'selection', rows),
    },
    defects,
  );
