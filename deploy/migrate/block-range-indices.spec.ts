import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { findProjectRoot, modelFolder, prismaModels } from './database-schemas.ts';

const root = findProjectRoot();

/** Tables with an index of block ranges, by their names in the database. */
const tablesWithBrin = (schema: string): readonly string[] =>
  schema
    .split(/^model /m)
    .flatMap((model) => (/type: Brin\b/.test(model) ? (/@@map\("(\w+)"\)/.exec(model)?.[1] ?? []) : []));

/** Tables that the statements in a source delete from. */
const tablesDeletedFrom = (source: string): readonly string[] =>
  [...source.matchAll(/\bdelete from (?:\w+\.)?"?(\w+)/gi)].map(([, table]) => table!);

/**
 * Block ranges never narrow: where rows are deleted, their place is filled with newer ones, and each range ends up to hold all
 * times, so that who asks for some reads the whole table, for ever.
 */
it('no table has an index of block ranges that rows are deleted from', () => {
  const indexed = prismaModels.flatMap((model) =>
    tablesWithBrin(readFileSync(join(modelFolder(model), 'schema.prisma'), 'utf8')),
  );
  const sources = globSync(['apps/*/src/**/*.ts', 'libs/*/src/**/*.ts', 'deploy/**/*.ts'], { cwd: root });
  const deleted = new Set(
    sources
      .filter((file) => !/\.spec\.ts$|\/testing\//.test(file))
      .flatMap((file) => tablesDeletedFrom(readFileSync(join(root, file), 'utf8'))),
  );
  // There is none at present.
  expect(tablesWithBrin('model Event {\n  @@index([time], type: Brin)\n  @@map("event")\n}')).toEqual(['event']);
  expect([...deleted]).toEqual(expect.arrayContaining(['inbox', 'idempotency_key', 'dead_letter']));
  expect(indexed.filter((table) => deleted.has(table))).toEqual([]);
});
