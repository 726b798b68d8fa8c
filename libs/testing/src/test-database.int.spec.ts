import { describe, expect, it } from '@jest/globals';
import { prismaModels } from '@paywright/deploy/migrate/database-schemas.ts';
import { testDatabase } from './test-database.ts';

describe('testDatabase', () => {
  it.each(prismaModels)('gives a migrated database of its own: %s', async (model) => {
    await using one = await testDatabase(model);
    await using other = await testDatabase(model);
    const tables = `select count(*)::int as count from pg_tables where schemaname = $1`;

    expect((await one.pool.query(tables, [one.schema])).rows[0].count).toBeGreaterThan(1);
    await one.pool.query('create table only_here (id integer)');
    const here = `select to_regclass('only_here') is not null as found`;
    expect((await one.pool.query(here)).rows).toEqual([{ found: true }]);
    expect((await other.pool.query(here)).rows).toEqual([{ found: false }]);
  });

  it('is emptied of all that was put into it, numbers that it gave included', async () => {
    await using database = await testDatabase('read-model');
    const letter = () =>
      database.pool.query<{ seq: string }>(
        `insert into dead_letter (consumer, topic, partition, "offset", headers, blocks, error, attempts, recorded_at)
         values ('profile', 'profile.commands', 0, 7, '{}', false, 'it failed', 1, now()) returning seq`,
      );
    const first = await letter();
    await database.empty();
    await database.empty();
    expect((await letter()).rows).toEqual(first.rows);
    const migrations = await database.pool.query('select from _prisma_migrations');
    expect(migrations.rowCount).toBeGreaterThan(0);
  });

  it('leaves nothing behind', async () => {
    let name = '';
    {
      await using database = await testDatabase('gateway');
      name = new URL(database.url).pathname.slice(1);
    }
    await using other = await testDatabase('gateway');
    const { rowCount } = await other.pool.query('select from pg_database where datname = $1', [name]);
    expect(rowCount).toBe(0);
  });
});
