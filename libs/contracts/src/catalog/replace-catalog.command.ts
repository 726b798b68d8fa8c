import { z } from 'zod';
import { defineCommand, type CommandOf } from '../message.ts';
import { CatalogDocument } from './catalog-document.ts';
import { CatalogIds } from './catalog-ids.ts';

export const CatalogChange = z.object({
  op: z.enum(['add', 'change', 'remove']),
  path: z.string(),
  before: z.unknown(),
  after: z.unknown(),
});
export type CatalogChange = z.output<typeof CatalogChange>;

/**
 * Makes the document the app's catalog, unless `dryRun`. `ifRevision` null asks for no revision.
 * The document is valid: the gateway has checked it. Kafka key: app id.
 */
export const ReplaceCatalog = defineCommand(
  'ReplaceCatalog',
  1,
  z.object({
    actor: z.string(),
    document: CatalogDocument,
    ifRevision: z.int().nullable(),
    dryRun: z.boolean(),
  }),
  z.object({ revision: z.int(), changes: z.array(CatalogChange), warnings: z.array(z.string()), ids: CatalogIds }),
);
export type ReplaceCatalog = CommandOf<typeof ReplaceCatalog>;
