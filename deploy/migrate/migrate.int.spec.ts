import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createScratchDatabase, type ScratchDatabase } from './scratch-database.ts';
import { migrate } from './migrate.ts';
import { withSchemaEngine } from './schema-engine.ts';

const schemas = [
  { name: 'one', model: 'event-store' },
  { name: 'two', model: 'event-store' },
] as const;

const firstModel = 'datasource db {\n  provider = "postgresql"\n}\nmodel note {\n  id Int @id\n}\n';
const secondModel = firstModel.replace('id Int @id', 'id Int @id\n  body String');

describe('migrate', () => {
  let database: ScratchDatabase;
  let folder: string;

  beforeEach(async () => {
    database = await createScratchDatabase(process.env['TEST_DATABASE_URL']!);
    folder = mkdtempSync(join(tmpdir(), 'migrations-'));
    addMigration(
      '20260101000000_note',
      'create table note (id integer not null, constraint note_pkey primary key (id));',
    );
  });
  afterEach(async () => {
    await database[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  const run = () => migrate(database.url, schemas, () => folder);
  function addMigration(name: string, sql: string): void {
    mkdirSync(join(folder, 'migrations', name), { recursive: true });
    writeFileSync(join(folder, 'migrations', name, 'migration.sql'), sql);
  }

  it('applies each migration once to each schema, in order', async () => {
    addMigration('20260102000000_body', "alter table note add column body text not null default '';");

    expect(await run()).toEqual([
      { schema: 'one', migration: '20260101000000_note' },
      { schema: 'one', migration: '20260102000000_body' },
      { schema: 'two', migration: '20260101000000_note' },
      { schema: 'two', migration: '20260102000000_body' },
    ]);
    expect(await run()).toEqual([]);
    await database.query("insert into one.note values (1, 'a')");
    expect(await database.query('select count(*)::int as count from two.note')).toEqual([{ count: 0 }]);
  });

  it('lets two run at once', async () => {
    const applied = await Promise.all([run(), run(), run()]);
    expect(applied.map(({ length }) => length).sort()).toEqual([0, 0, 2]);
  });

  it('refuses a migration that was edited after it had been applied', async () => {
    await run();
    addMigration('20260101000000_note', 'create table other (id integer);');
    await expect(run()).rejects.toThrow('20260101000000_note was edited');
  });

  it('takes a script whole: semicolons in comments and functions, and all of it or nothing', async () => {
    addMigration(
      '20260102000000_function',
      `-- one; two
       create function twice(n integer) returns integer language plpgsql as $$ begin n := n * 2; return n; end $$;`,
    );
    addMigration('20260103000000_half', 'create table half (id integer); select 1 / 0;');
    await expect(run()).rejects.toThrow('division by zero');
    expect(await database.query('select one.twice(4)')).toEqual([{ twice: 8 }]);
    expect(await database.query("select to_regclass('one.half') as half")).toEqual([{ half: null }]);
  });

  it('says which migration failed, and why', async () => {
    addMigration('20260102000000_broken', 'alter table nothing add column a text;');
    await expect(run()).rejects.toThrow('Migration 20260102000000_broken failed: relation "nothing" does not exist');
  });

  it('finds the difference between database and schema.prisma', async () => {
    await run();
    const differenceTo = (model: string) =>
      withSchemaEngine({ databaseUrl: database.url, schema: 'one' }, (engine) => engine.differenceTo(model));
    expect(await differenceTo(firstModel)).toBe('');
    expect(await differenceTo(secondModel)).toContain('ADD COLUMN');
  });
});
