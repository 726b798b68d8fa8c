import { eventsOf, topics, type KeyIssued } from '@paywright/contracts';
import type { Transaction } from '@paywright/event-sourcing';
import type { Queryable } from '@paywright/read-model';
import type { ProjectionDefects } from '../defects.ts';
import type { EventsAt, TellContradictions } from '../following/contradictions.ts';
import { eventProjection } from '../following/event-projection.ts';
import type { Placed } from '../following/sift.ts';
import { auditedChange, type CatalogEvent } from './audit-entry.ts';
import {
  insertApp,
  insertAppKey,
  insertAudit,
  insertRevision,
  moveAppVersion,
  revokeAppKey,
  selectAppVersions,
  selectAuditedAt,
} from './catalog.sql.ts';

/** Apps, their keys, their catalogs, and who changed them. These events are few: a statement for each row. */
export const catalogProjection = (defects: ProjectionDefects, tell?: TellContradictions) =>
  eventProjection(
    {
      topic: topics.catalogEvents,
      awaited: 'app',
      waitsForDisk: true,
      read: (event: CatalogEvent) => event,
      load: loadAppVersions,
      eventsAt: auditedAt,
      store: (database, events) => {
        for (const event of events) storeEvent(database, event);
      },
    },
    defects,
    tell,
  );

async function loadAppVersions(
  database: Queryable,
  streams: readonly string[],
): Promise<ReadonlyMap<string, { readonly version: number }>> {
  const { rows } = await database.query<{ stream: string; version: number }>(selectAppVersions, [streams]);
  return new Map(rows.map(({ stream, version }) => [stream, { version }]));
}

/** Every event of an app is in its audit, beside what people did to its models, which have versions of their own. */
const auditedAt: EventsAt = async (database, places) => {
  const { rows } = await database.query<Placed>(selectAuditedAt, [
    places.map(({ stream }) => stream),
    places.map(({ streamVersion }) => streamVersion),
    eventsOf[topics.catalogEvents].map(({ type }) => type),
  ]);
  return rows;
};

function storeEvent(database: Transaction, event: CatalogEvent): void {
  const { streamVersion: version, body } = event;
  storeChange(database, event);
  database.send({ text: moveAppVersion, values: [body.appId, version] });
  const { before, after } = auditedChange(event);
  database.send({
    text: insertAudit,
    values: [body.appId, version, event.id, new Date(event.time), body.actor, event.type, before, after],
  });
}

function storeChange(database: Transaction, event: CatalogEvent): void {
  const { appId } = event.body;
  switch (event.type) {
    case 'AppCreated': {
      const { name, createdAt, keys } = event.body;
      database.send({ text: insertApp, values: [appId, event.streamVersion, name, new Date(createdAt)] });
      for (const key of keys) storeKey(database, appId, key, createdAt);
      return;
    }
    case 'KeyIssued':
      return storeKey(database, appId, event.body.key, event.body.createdAt);
    case 'KeyRevoked':
      database.send({ text: revokeAppKey, values: [appId, event.body.keyId, new Date(event.body.revokedAt)] });
      return;
    case 'CatalogReplaced': {
      const { revision, document, ids, paywallRevisions, actor } = event.body;
      const time = new Date(event.time);
      database.send({ text: insertRevision, values: [appId, revision, document, ids, paywallRevisions, actor, time] });
      return;
    }
    case 'StoreCredentialsSet':
    case 'StoreCredentialsRemoved':
      return; // for the audit alone
    default:
      event satisfies never;
  }
}

function storeKey(
  database: Transaction,
  appId: number,
  { keyId, kind, prefix }: KeyIssued['body']['key'],
  createdAt: number,
): void {
  database.send({ text: insertAppKey, values: [appId, keyId, kind, prefix, new Date(createdAt)] });
}
