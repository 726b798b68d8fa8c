import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testDatabase, type TestDatabase } from '@paywright/testing';
import { createPool } from './pool.ts';
import { requireMigrations } from './required-migrations.ts';

const newest = '20261128050000_contract_find_old_commands';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase('event-store');
});
afterAll(async () => database[Symbol.asyncDispose]());

const require = () => requireMigrations(database.pool, 'event-store');
const lacking = (names: string) => ({
  faults: [
    { variable: 'DATABASE_URL', problem: expect.stringContaining(`profile lacks ${names}: run the job prepare`) },
  ],
});

describe('requireMigrations', () => {
  it('takes a database with the migrations of this version, and with those of a later one', async () => {
    await expect(require()).resolves.toBeUndefined();
    await database.pool.query(
      `insert into _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
       values ('later', '', '20990101000000_of_a_later_version', now(), 1)`,
    );
    await expect(require()).resolves.toBeUndefined();
  });

  it('names those that were not applied to their end', async () => {
    const unfinished = (column: string, value: string) =>
      database.pool.query(`update _prisma_migrations set ${column} = ${value} where migration_name = '${newest}'`);
    await unfinished('finished_at', 'null');
    await expect(require()).rejects.toMatchObject(lacking(newest));
    await unfinished('finished_at', 'now()');
    await expect(require()).resolves.toBeUndefined();
    await unfinished('rolled_back_at', 'now()');
    await expect(require()).rejects.toMatchObject(lacking(newest));
    await unfinished('rolled_back_at', 'null');
  });

  it('names all of them where nobody has migrated', async () => {
    const pool = createPool({ databaseUrl: database.url, schema: 'nobody_made_this', max: 1 });
    const required = requireMigrations(pool, 'store-credentials');
    await expect(required).rejects.toThrow('schema nobody_made_this lacks 20261121000000_create_store_credentials');
    await pool.end();
  });

  it('leaves a user alone who may not read what was applied', async () => {
    const { pool } = database;
    await pool.query(`create role unknowing; grant usage on schema profile to unknowing`);
    const unknowing = createPool({
      ...{ databaseUrl: database.url, schema: database.schema, max: 1 },
      settings: { role: 'unknowing' },
    });
    await expect(requireMigrations(unknowing, 'read-model')).resolves.toBeUndefined();
    await unknowing.end();
    await pool.query('drop owned by unknowing; drop role unknowing');
  });
});
