import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { DecisionSuperseded, EventsReported, PaywallServed } from '@paywright/contracts';
import type { Queryable } from './database.ts';
import { ListCursors, versionPosition, type Page, type PageRequest } from './page.ts';
import type { DecisionRow } from './rows.ts';
import { toUuid } from './uuid.ts';

const cursors = new ListCursors('decisions', versionPosition);

const columns = `
  served.time, served.version, served.data, exists (
    select from profile_event ended
    where ended.decision_id = served.decision_id and ended.type = '${DecisionSuperseded.type}'
  ) as superseded`;

/** What was decided until its profile's erasure is nobody's. */
const isSinceErasure = `
  served.time > coalesce((select erased_at from profile where profile.profile_id = served.profile_id), '-infinity')`;

/** $1 profile, $2 app, $3 version to go on behind or null, $4 limit. */
const selectDecisions = `
  select ${columns} from profile_event served
  where profile_id = $1 and app_id = $2 and service = 'selection' and type = '${PaywallServed.type}'
    and ($3::int is null or version < $3)
    and ${isSinceErasure}
  order by version desc
  limit $4`;

/** $1 decision, $2 app. */
const selectDecision = `
  select ${columns} from profile_event served
  where decision_id = $1 and app_id = $2 and type = '${PaywallServed.type}' and ${isSinceErasure}`;

/** $1 profile, $2 app, $3 decision as text. The first test is cheap, and leaves few rows to be parsed. */
const selectFirstShown = `
  select reported.time from profile_event reported, jsonb_array_elements(reported.data::jsonb -> 'events') event
  where profile_id = $1 and app_id = $2 and service = 'impression' and type = '${EventsReported.type}'
    and position($3 in data) > 0
    and event ->> 'decisionId' = $3 and event ->> 'eventType' = 'paywall_shown' and event -> 'foreignToken' = 'false'
  order by version
  limit 1`;

/** $1 app, $2 SHA-256. In the schema of the learner, which keeps what it serves, and for 30 days what it served. */
const selectModelSnapshot = `select bytes from selection_learning.model_snapshot where app_id = $1 and sha256 = $2`;

interface SelectedDecision {
  time: Date;
  version: number;
  data: string;
  superseded: boolean;
}

/** What was decided for whom, and what came of it. */
export class DecisionQueries {
  readonly #database: Queryable;

  constructor(database: Queryable) {
    this.#database = database;
  }

  /**
   * A profile's decisions, newest first.
   * @throws InvalidCursor
   */
  async ofProfile(appId: number, profileId: string, { limit, cursor }: PageRequest): Promise<Page<DecisionRow>> {
    const before = cursors.read(cursor);
    const id = toUuid(profileId);
    if (id === null) return { entries: [], nextCursor: null };
    const { rows } = await this.#database.query<SelectedDecision>({
      name: 'select-decisions',
      text: selectDecisions,
      values: [id, appId, before, limit + 1],
    });
    const page = cursors.page(rows, limit, ({ version }) => version);
    return { entries: page.entries.map(toDecisionRow), nextCursor: page.nextCursor };
  }

  async find(appId: number, decisionId: string): Promise<DecisionRow | null> {
    const id = toUuid(decisionId);
    if (id === null) return null;
    const { rows } = await this.#database.query<SelectedDecision>({
      name: 'select-decision',
      text: selectDecision,
      values: [id, appId],
    });
    return rows[0] ? toDecisionRow(rows[0]) : null;
  }

  /** A model as it was served, by the SHA-256 that a decision names: the snapshot's bytes; null if it is not kept any more. */
  async modelSnapshot(appId: number, sha256: string): Promise<Uint8Array | null> {
    const { rows } = await this.#database.query<{ bytes: Buffer }>({
      name: 'select-model-snapshot',
      text: selectModelSnapshot,
      values: [appId, sha256],
    });
    return rows[0] ? unpack(rows[0].bytes) : null;
  }

  /** When the decision's paywall was first reported as shown by its own profile; null if it was not. */
  async firstShownAt(appId: number, profileId: string, decisionId: string): Promise<number | null> {
    const profile = toUuid(profileId);
    const decision = toUuid(decisionId);
    if (profile === null || decision === null) return null;
    const { rows } = await this.#database.query<{ time: Date }>({
      name: 'select-first-shown',
      text: selectFirstShown,
      values: [profile, appId, decision],
    });
    return rows[0]?.time.getTime() ?? null;
  }
}

const unpack = promisify(gunzip);

const toDecisionRow = ({ time, data, superseded }: SelectedDecision): DecisionRow => ({
  time: time.getTime(),
  decision: PaywallServed.body.parse(JSON.parse(data)),
  superseded,
});
