import { topics, type KeyIssued } from '@paywright/contracts';
import type { Queryable } from '@paywright/read-model';
import type { ProjectionDefects } from '../defects.ts';
import { eventProjection } from '../following/event-projection.ts';
import { auditedChange, type CatalogEvent } from './audit-entry.ts';
import {
  insertApp,
  insertAppKey,
  insertAudit,
  insertRevision,
  moveAppVersion,
  revokeAppKey,
  selectAppVersions,
} from './catalog.sql.ts';

/** Apps, their keys, their catalogs, and who changed them. These events are few: a statement for each row. */
export const catalogProjection = (defects: ProjectionDefects) =>
  eventProjection(
    {
      topic: topics.catalogEvents,
      awaited: 'app',
      read: (event: CatalogEvent) => event,
      load: loadAppVersions,
      store: async (database, events) => {
        for (const event of events) await storeEvent(database, event);
      },
    },
    defects,
  );

async function loadAppVersions(
  database: Queryable,
  streams: readonly string[],
): Promise<ReadonlyMap<string, { readonly version: number }>> {
  const { rows } = await database.query<{ stream: string; version: number }>(selectAppVersions, [streams]);
  return new Map(rows.map(({ stream, version }) => [stream, { version }]));
}

async function storeEvent(database: Queryable, event: CatalogEvent): Promise<void> {
  const { streamVersion: version, body } = event;
  await storeChange(database, event);
  await database.query(moveAppVersion, [body.appId, version]);
  const { before, after } = auditedChange(event);
  await database.query(insertAudit, [
    body.appId,
    version,
    event.id,
    new Date(event.time),
    body.actor,
    event.type,
    before,
    after,
  ]);
}

async function storeChange(database: Queryable, event: CatalogEvent): Promise<void> {
  const { appId } = event.body;
  switch (event.type) {
    case 'AppCreated': {
      const { name, createdAt, keys } = event.body;
      await database.query(insertApp, [appId, event.streamVersion, name, new Date(createdAt)]);
      for (const key of keys) await storeKey(database, appId, key, createdAt);
      return;
    }
    case 'KeyIssued':
      return storeKey(database, appId, event.body.key, event.body.createdAt);
    case 'KeyRevoked':
      await database.query(revokeAppKey, [appId, event.body.keyId, new Date(event.body.revokedAt)]);
      return;
    case 'CatalogReplaced': {
      const { revision, document, ids, paywallRevisions, actor } = event.body;
      const time = new Date(event.time);
      await database.query(insertRevision, [appId, revision, document, ids, paywallRevisions, actor, time]);
      return;
    }
    case 'StoreCredentialsSet':
    case 'StoreCredentialsRemoved':
      return; // for the audit alone
    default:
      event satisfies never;
  }
}

async function storeKey(
  database: Queryable,
  appId: number,
  { keyId, kind, prefix }: KeyIssued['body']['key'],
  createdAt: number,
): Promise<void> {
  await database.query(insertAppKey, [appId, keyId, kind, prefix, new Date(createdAt)]);
}
