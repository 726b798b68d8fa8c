import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { CatalogDocument } from '@paywright/contracts';

it('is a catalog', () => {
  const document: unknown = JSON.parse(readFileSync(join(import.meta.dirname, 'catalog.json'), 'utf8'));
  expect(CatalogDocument.safeParse(document).error).toBeUndefined();
});
