import { z } from 'zod';
import { defineEvent, type EventOf } from '../message.ts';
import { CatalogDocument } from './catalog-document.ts';
import { CatalogIds } from './catalog-ids.ts';

/**
 * The app's catalog is this document from now on, whole. `ids` are the integers of its objects;
 * `paywallRevisions` rises for a paywall when that paywall changes.
 */
export const CatalogReplaced = defineEvent(
  'CatalogReplaced',
  1,
  z.object({
    appId: z.int(),
    actor: z.string(),
    revision: z.int().min(1),
    document: CatalogDocument,
    ids: CatalogIds,
    paywallRevisions: z.record(z.string(), z.int()),
  }),
);
export type CatalogReplaced = EventOf<typeof CatalogReplaced>;
