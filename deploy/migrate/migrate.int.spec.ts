import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { createScratchDatabase, type ScratchDatabase } from './scratch-database.ts';
import type { LockPatience } from './lock-patience.ts';
import { migrate } from './migrate.ts';
import { readMigrations } from './migration-folder.ts';
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

  it('goes on after a migration that failed', async () => {
    addMigration('20260102000000_half', 'create table half (id integer); select 1 / 0;');
    await expect(run()).rejects.toThrow('division by zero');
    addMigration('20260102000000_half', 'create table half (id integer); -- repaired');
    expect(await run()).toMatchObject([
      { schema: 'one', migration: '20260102000000_half' },
      { migration: '20260101000000_note' },
      { migration: '20260102000000_half' },
    ]);
  });

  describe('after a migration that was interrupted', () => {
    const slow = { schema: 'one', migration: '20260102000000_slow' };
    beforeEach(async () => {
      await migrate(database.url, [schemas[0]], () => folder);
      addMigration(slow.migration, 'alter table note add column body text; select pg_sleep(2);');
    });
    const runFirst = () => migrate(database.url, [schemas[0]], () => folder);

    /** Waits until the script runs. */
    async function backendOfScript(): Promise<unknown> {
      for (;;) {
        const [found] = await database.query(
          "select pid from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'",
        );
        if (found) return found['pid'];
        await delay(20);
      }
    }
    const records = () =>
      database.query(
        `select finished_at is not null as finished, rolled_back_at is not null as undone, applied_steps_count as steps
         from one._prisma_migrations where migration_name = $1 order by started_at`,
        [slow.migration],
      );

    it('applies it, if its backend was terminated', async () => {
      const interrupted = expect(runFirst()).rejects.toThrow('terminating connection');
      await database.query('select pg_terminate_backend($1)', [await backendOfScript()]);
      await interrupted;

      expect(await runFirst()).toEqual([slow]);
      expect(await records()).toEqual([
        { finished: false, undone: true, steps: 0 },
        { finished: true, undone: false, steps: 1 },
      ]);
    });

    it('lets it end and counts it as applied, if its process was killed', async () => {
      const program = `const { migrate } = await import('${join(import.meta.dirname, 'migrate.ts')}');
        await migrate('${database.url}', [{ name: 'one', model: 'event-store' }], () => '${folder}');`;
      const killed = spawn(process.execPath, ['--input-type=module', '--eval', program]);
      await backendOfScript();
      killed.kill('SIGKILL');
      await once(killed, 'exit');

      expect(await runFirst()).toEqual([]);
      expect(await records()).toMatchObject([{ finished: true, undone: false }]);
    });
  });

  it('applies a migration that was interrupted though it was the first one of its schema', async () => {
    addMigration('20260101000000_note', 'create table note (id integer); select 1 / 0;');
    await expect(run()).rejects.toThrow('division by zero');
    addMigration('20260101000000_note', 'create table note (id integer);');
    expect(await run()).toMatchObject([{ schema: 'one' }, { schema: 'two' }]);
  });

  describe('where an older version began one and did not finish its record', () => {
    const begun = { schema: 'one', migration: '20260102000000_body' };
    const runFirst = () => migrate(database.url, [schemas[0]], () => folder);
    beforeEach(async () => {
      await runFirst();
      addMigration(begun.migration, 'alter table note add column body text;');
      await database.query('comment on table one._prisma_migrations is null');
      await database.query(
        `insert into one._prisma_migrations (id, checksum, migration_name)
         select 'a', '${readMigrations(folder)[1]!.checksum}', '${begun.migration}'`,
      );
    });

    it('refuses to guess whether it was applied, and says so each time', async () => {
      const unclear = /20260102000000_body of schema one .* older version/;
      await expect(runFirst()).rejects.toThrow(unclear);
      await expect(runFirst()).rejects.toThrow(unclear);
      expect(
        await database.query('select rolled_back_at from one._prisma_migrations where finished_at is null'),
      ).toEqual([{ rolled_back_at: null }]);
    });

    it.each([
      ['was applied', 'alter table one.note add column body text', []],
      ['was not applied', 'select', [begun]],
    ])('goes on with the statement that it names for one that %s', async (outcome, script, applied) => {
      await database.query(script);
      const { message } = await runFirst().then(
        () => new Error(),
        (error: Error) => error,
      );
      const statement = message.split('\n').find((line) => line.includes(`${outcome}:`))!;
      await database.query(statement.slice(statement.indexOf('update')));

      expect(await runFirst()).toEqual(applied);
      await database.query('select body from one.note');
    });
  });

  describe('beside a transaction that has read the table', () => {
    let reader: pg.Client;
    beforeEach(async () => {
      await migrate(database.url, [schemas[0]], () => folder);
      addMigration('20260102000000_body', 'alter table note add column body text;');
      reader = new pg.Client({ connectionString: database.url });
      await reader.connect();
      await reader.query('begin');
      await reader.query('select from one.note');
    });
    afterEach(() => reader.end());
    const runPatiently = (patience: Partial<LockPatience>) =>
      migrate(database.url, [schemas[0]], () => folder, {
        attempts: 30,
        pauseMs: 10,
        report: () => undefined,
        ...patience,
      });

    it('steps aside for those who wait behind it, says so, and tries again', async () => {
      const readable = Promise.withResolvers<string>();
      const migrated = runPatiently({
        pauseMs: 3_000,
        report: (line) => {
          // In its pause nothing waits: a statement that would have to is refused.
          void database
            .query("set lock_timeout = '1ms'; select from one.note")
            .then(() => reader.query('commit'))
            .then(() => readable.resolve(line), readable.reject);
        },
      });
      expect(await readable.promise).toContain('schema one');
      expect(await migrated).toEqual([{ schema: 'one', migration: '20260102000000_body' }]);
    });

    it('gives up in the end, and leaves everything as it was', async () => {
      await expect(runPatiently({ attempts: 2 })).rejects.toThrow(
        /^Migration 20260102000000_body failed: .* locked by other transactions/,
      );
      await reader.query('commit');
      expect(await runPatiently({})).toEqual([{ schema: 'one', migration: '20260102000000_body' }]);
    });
  });

  it('gives all scripts of a run as many attempts together as there are, whichever they wait in', async () => {
    await run();
    addMigration('20260102000000_body', 'alter table note add column body text;');
    const readers = await Promise.all(
      ['one', 'two'].map(async (schema) => {
        const reader = new pg.Client({ connectionString: database.url });
        await reader.connect();
        await reader.query(`begin; select from ${schema}.note`);
        return reader;
      }),
    );
    const reported: string[] = [];
    const report = (line: string) => {
      if (reported.push(line) === 2) void readers[0]!.query('commit');
    };
    const migrated = migrate(database.url, schemas, () => folder, { attempts: 3, pauseMs: 10, report });

    try {
      await expect(migrated).rejects.toThrow('3 attempts');
      expect(reported).toEqual([expect.stringContaining('schema one'), expect.stringContaining('schema one')]);
    } finally {
      await Promise.all(readers.map((reader) => reader.end()));
    }
  });

  it('finds the difference between database and schema.prisma', async () => {
    await run();
    const differenceTo = (model: string) =>
      withSchemaEngine({ databaseUrl: database.url, schema: 'one' }, (engine) => engine.differenceTo(model));
    expect(await differenceTo(firstModel)).toBe('');
    expect(await differenceTo(secondModel)).toContain('ADD COLUMN');
  });
});
