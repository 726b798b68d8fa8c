import { CatalogIds, type CatalogDocument } from '@paywright/contracts';
import { z } from 'zod';
import type { Queryable } from './database.ts';
import { ListCursors, timePosition, versionPosition, type Page, type PageRequest } from './page.ts';
import type { AuditRow, RevisionDocument, RevisionRow } from './rows.ts';

const auditPosition = z.tuple([timePosition, z.int().min(0).max(2_147_483_647), versionPosition, z.uuid()]);
const auditCursors = new ListCursors('audit', auditPosition);
const revisionCursors = new ListCursors('revisions', versionPosition);

const selectRevisions = `
  select revision, time, actor from catalog_revision
  where app_id = $1 and ($2::int is null or revision < $2)
  order by revision desc limit $3`;

/** $2 null: the newest. */
const selectRevision = `
  select revision, time, actor, document, ids from catalog_revision
  where app_id = $1 and ($2::int is null or revision = $2)
  order by revision desc limit 1`;

/**
 * $1 app id, $2 the list of the document, $3 ids in it. Of each the newest that a catalog had. All are sought in one pass
 * over the revisions: 50 ms for a thousand of 84 KB, and as long for each of the ids where they are sought one by one.
 */
const selectLastWith = `
  select distinct on (object->>'id')
    object->>'id' as id, object->>'name' as name, object->>'externalId' as external_id,
    (ids->$2::text->>(object->>'id'))::int as number
  from catalog_revision, jsonb_array_elements(document->$2::text) as each (object)
  where app_id = $1 and object->>'id' = any($3::text[])
  order by object->>'id', revision desc`;

/** $1 app id, $2 what a paywall is, or was, called: its id, else its external id, else its number. */
const selectPaywallNamed = `
  select object->>'id' as id
  from catalog_revision, jsonb_array_elements(document->'paywalls') as each (object)
  where app_id = $1 and $2 in (object->>'id', object->>'externalId', ids->'paywalls'->>(object->>'id'))
  order by object->>'id' = $2 desc, object->>'externalId' = $2 desc, revision desc limit 1`;

const selectAudit = `
  select id, time, version, actor, action, app_id, before, after from audit
  where $1::timestamptz is null or (time, app_id, version, id) < ($1, $2, $3, $4)
  order by time desc, app_id desc, version desc, id desc limit $5`;

/** Catalogs in time, and who changed what. */
export class CatalogQueries {
  readonly #database: Queryable;

  constructor(database: Queryable) {
    this.#database = database;
  }

  /**
   * The catalogs that the app had, newest first.
   * @throws InvalidCursor
   */
  async revisions(appId: number, { limit, cursor }: PageRequest): Promise<Page<RevisionRow>> {
    const before = revisionCursors.read(cursor);
    const { rows } = await this.#database.query<SelectedRevision>(selectRevisions, [appId, before, limit + 1]);
    return revisionCursors.page(rows.map(toRevisionRow), limit, ({ revision }) => revision);
  }

  /** A catalog of the app; the one it has now, if `revision` is null. */
  async revision(appId: number, revision: number | null): Promise<RevisionDocument | null> {
    const { rows } = await this.#database.query<SelectedDocument>(selectRevision, [appId, revision]);
    const row = rows[0];
    return row ? { ...toRevisionRow(row), document: row.document, ids: CatalogIds.parse(row.ids) } : null;
  }

  /**
   * What archived objects were called when a catalog of the app last had them, by id; of those that none had: nothing.
   */
  async lastKnown(
    appId: number,
    list: 'models' | 'paywalls',
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, NamedObject>> {
    if (ids.length === 0) return new Map();
    const { rows } = await this.#database.query<SelectedObject>(selectLastWith, [appId, list, ids]);
    return new Map(rows.map(({ id, name, external_id: externalId, number }) => [id, { name, externalId, number }]));
  }

  /** The id of a paywall that some catalog of the app had: by its id, external id or number, the newest first. */
  async formerPaywall(appId: number, named: string): Promise<string | null> {
    const { rows } = await this.#database.query<{ id: string }>(selectPaywallNamed, [appId, named]);
    return rows[0]?.id ?? null;
  }

  /**
   * Every write of the admin API, newest first.
   * @throws InvalidCursor
   */
  async audit({ limit, cursor }: PageRequest): Promise<Page<AuditRow>> {
    const before = auditCursors.read(cursor);
    const from = before ? [new Date(before[0]), ...before.slice(1)] : [null, null, null, null];
    const { rows } = await this.#database.query<SelectedAudit>(selectAudit, [...from, limit + 1]);
    const page = auditCursors.page(rows, limit, (row) => [row.time.getTime(), row.app_id, row.version, row.id]);
    return { entries: page.entries.map(toAuditRow), nextCursor: page.nextCursor };
  }
}

/** An object of a catalog, as people call it, and as apps do. */
export interface NamedObject {
  readonly name: string;
  /** Of paywalls alone. */
  readonly externalId: string | null;
  /** In the REST API, for ever. */
  readonly number: number;
}

interface SelectedObject {
  id: string;
  name: string;
  external_id: string | null;
  number: number;
}

interface SelectedRevision {
  revision: number;
  time: Date;
  actor: string;
}

interface SelectedDocument extends SelectedRevision {
  document: CatalogDocument;
  ids: unknown;
}

interface SelectedAudit extends Omit<AuditRow, 'time' | 'appId'> {
  time: Date;
  version: number;
  app_id: number;
}

const toRevisionRow = ({ revision, time, actor }: SelectedRevision): RevisionRow => ({
  revision,
  time: time.getTime(),
  actor,
});

const toAuditRow = ({ id, time, actor, action, app_id: appId, before, after }: SelectedAudit): AuditRow => ({
  id,
  time: time.getTime(),
  actor,
  action,
  appId,
  before,
  after,
});
