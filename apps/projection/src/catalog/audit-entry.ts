import type { topics } from '@paywright/contracts';
import type { EventOn } from '../following/event-projection.ts';

export type CatalogEvent = EventOn<typeof topics.catalogEvents>;

/** What a write changed. Objects for jsonb columns; null where there was or is nothing. */
export interface AuditedChange {
  readonly before: object | null;
  readonly after: object | null;
}

/** What an audit row shows of an event: keys without their hashes, catalogs by their revision. */
export function auditedChange(event: CatalogEvent): AuditedChange {
  switch (event.type) {
    case 'AppCreated': {
      const { name, keys } = event.body;
      return { before: null, after: { name, keys: keys.map(({ keyId, kind, prefix }) => ({ keyId, kind, prefix })) } };
    }
    case 'KeyIssued': {
      const { keyId, kind, prefix } = event.body.key;
      return { before: null, after: { keyId, kind, prefix } };
    }
    case 'KeyRevoked': {
      const { keyId } = event.body;
      return { before: { keyId, revoked: false }, after: { keyId, revoked: true } };
    }
    case 'CatalogReplaced': {
      const { revision } = event.body;
      return { before: { revision: revision - 1 }, after: { revision } };
    }
    case 'StoreCredentialsSet':
      return { before: null, after: { store: event.body.store } };
    case 'StoreCredentialsRemoved':
      return { before: { store: event.body.store }, after: null };
  }
}
