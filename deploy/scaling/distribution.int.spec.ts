import { describe, expect, it } from '@jest/globals';
import { testDatabase } from '@paywright/testing';
import { prismaModels } from '../migrate/database-schemas.ts';
import { distributionColumns, tablesOfSchemas } from './distribution.ts';

/** The primary key and every unique index of the schema's tables, as the database has them. */
const uniqueKeys = `
  SELECT relation.relname AS "table", json_agg(attribute.attname ORDER BY key.place) AS columns
  FROM pg_index AS index
  JOIN pg_class AS relation ON relation.oid = index.indrelid
  CROSS JOIN LATERAL unnest(index.indkey::int2[]) WITH ORDINALITY AS key (number, place)
  LEFT JOIN pg_attribute AS attribute ON attribute.attrelid = index.indrelid AND attribute.attnum = key.number
  WHERE index.indisunique AND relation.relnamespace = current_schema()::regnamespace
    AND relation.relname <> '_prisma_migrations'
  GROUP BY relation.relname, index.indexrelid`;
const tables = `
  SELECT relname AS name FROM pg_class
  WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace AND relname <> '_prisma_migrations'`;

describe.each(prismaModels)('the migrated tables of %s', (model) => {
  it('can each be spread by the column that is declared for it', async () => {
    await using database = await testDatabase(model);
    const names = (await database.pool.query<{ name: string }>(tables)).rows.map(({ name }) => name);
    const { rows: keys } = await database.pool.query<{ table: string; columns: string[] }>(uniqueKeys);

    const undeclared = names.filter((name) => distributionColumns[`${model}/${name}`] === undefined);
    expect(undeclared).toEqual([]);
    const against = keys.filter(({ table, columns }) => {
      const column = distributionColumns[`${model}/${table}`];
      return column !== null && column !== undefined && !columns.includes(column);
    });
    expect(against).toEqual([]);
  });

  it('have the keys that schema.prisma says, and no other unique ones', async () => {
    await using database = await testDatabase(model);
    const { rows: keys } = await database.pool.query<{ table: string; columns: string[] }>(uniqueKeys);
    const found = keys.map(({ table, columns }) => `${table} (${columns.join(', ')})`);

    const declared = tablesOfSchemas().filter((table) => table.model === model);
    const wanted = declared.flatMap(({ name, uniqueKeys }) => uniqueKeys.map((key) => `${name} (${key.join(', ')})`));
    expect(found.sort()).toEqual(wanted.sort());
  });
});
