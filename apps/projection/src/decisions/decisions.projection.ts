import type { Transaction } from '@paywright/event-sourcing';
import { topics } from '@paywright/contracts';
import { insertAudit } from '../catalog/catalog.sql.ts';
import type { ProjectionDefects } from '../defects.ts';
import type { TellContradictions } from '../following/contradictions.ts';
import { eventProjection } from '../following/event-projection.ts';
import {
  loadLastVersions,
  profileEventsAt,
  storeProfileEvents,
  toProfileEventRow,
  type ProfileEventRow,
} from '../profile-events/profile-events.ts';
import { auditedControl, type AuditedControl } from './audited-control.ts';
import { storeDecisions, toldOfDecision, type ToldOfDecision } from './decision-rows.ts';

interface DecisionRow extends ProfileEventRow, ToldOfDecision {
  readonly audited: AuditedControl | null;
}

/** Which paywall was chosen for whom, which choices do not count, and what guards and people did to models. */
export const decisionsProjection = (defects: ProjectionDefects, tell?: TellContradictions) =>
  eventProjection(
    {
      topic: topics.selectionEvents,
      awaited: null,
      read: (event, json): DecisionRow => ({
        ...toProfileEventRow(event, json),
        ...toldOfDecision(event),
        audited: auditedControl(event),
      }),
      load: (database, streams) => loadLastVersions(database, 'selection', streams),
      eventsAt: profileEventsAt('selection'),
      store: (database, rows) => {
        storeProfileEvents(database, 'selection', rows);
        storeDecisions(database, rows);
        storeAudit(database, rows);
      },
    },
    defects,
    tell,
  );

/** Writes of the admin API are few: a statement for each. */
function storeAudit(database: Transaction, rows: readonly DecisionRow[]): void {
  for (const { appId, streamVersion, id, time, type, audited } of rows) {
    if (audited === null) continue;
    const { actor, before, after } = audited;
    const values = [appId, streamVersion, id, new Date(time), actor, type, before, after];
    database.send({ text: insertAudit, values });
  }
}
