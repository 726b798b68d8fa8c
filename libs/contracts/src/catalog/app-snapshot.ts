import { z } from 'zod';
import { keyKinds } from './api-key.ts';
import { CatalogDocument } from './catalog-document.ts';
import { CatalogIds } from './catalog-ids.ts';

/**
 * The value of `catalog.snapshots`, keyed by app id: all that gateway and selection need to know of an app.
 * `version` is the version of the app's stream; the newest wins. Times are milliseconds since the epoch.
 */
export const AppSnapshot = z.object({
  appId: z.int(),
  version: z.int().min(1),
  /** Of the code that made it of the app's events: of one version the greater is the newer. Absent: 0. */
  edition: z.int().min(0).optional(),
  name: z.string(),
  createdAt: z.int(),
  keys: z.array(
    z.object({
      keyId: z.int(),
      kind: z.enum(keyKinds),
      prefix: z.string(),
      sha256: z.string(),
      createdAt: z.int(),
      revokedAt: z.int().nullable(),
    }),
  ),
  /** 0 before the first catalog; then `document` has empty lists. */
  revision: z.int().min(0),
  document: CatalogDocument,
  /** Products of former documents, as they were last: who bought one keeps it. None in records from before they were kept. */
  archivedProducts: CatalogDocument.shape.products,
  ids: CatalogIds,
  paywallRevisions: z.record(z.string(), z.int()),
});
export type AppSnapshot = z.output<typeof AppSnapshot>;
