import { z } from 'zod';
import { actor, appId } from '../event-fields.ts';
import { defineEvent, type EventOf } from '../message.ts';
import { CatalogDocument } from './catalog-document.ts';
import { CatalogIds } from './catalog-ids.ts';

export const CatalogReplaced = defineEvent(
  'CatalogReplaced',
  1,
  'The app’s catalog is this document from now on, whole.',
  z.object({
    appId,
    actor,
    revision: z.int().min(1).describe('1, 2, 3 … with each catalog of the app'),
    document: CatalogDocument.describe('The catalog, with every default'),
    ids: CatalogIds.describe('The integers that the REST API knows its objects by'),
    paywallRevisions: z.record(z.string(), z.int()).describe('By paywall: a number that rises when it changes'),
  }),
);
export type CatalogReplaced = EventOf<typeof CatalogReplaced>;
