import { createHash } from 'node:crypto';
import { modelFolder, type PrismaModel } from '@paywright/deploy/migrate/database-schemas.ts';
import { migrate } from '@paywright/deploy/migrate/migrate.ts';
import { readMigrations } from '@paywright/deploy/migrate/migration-folder.ts';
import { createScratchDatabase, queryOnce, withDatabase } from '@paywright/deploy/migrate/scratch-database.ts';
import pg, { Client, Pool } from 'pg';

/** The Postgres schema that a model's tables are in. */
const schemaOf = {
  'event-store': 'profile',
  'read-model': 'read_model',
  gateway: 'gateway',
  'purchase-validation': 'purchase_validation',
  'selection-learning': 'selection_learning',
  'store-credentials': 'store_credentials',
} as const satisfies Record<PrismaModel, string>;

/** Whoever finds no template makes it; the others wait. */
const templateLock = 7_267_370_002n;

/** A migrated database of its own. Disposed of, it is gone. */
export interface TestDatabase extends AsyncDisposable {
  readonly url: string;
  /** Where the tables are; the pool's search path. */
  readonly schema: string;
  readonly pool: Pool;
  /**
   * Empties the tables of its schema again, for the next test: a database of its own for each takes a quarter of a second of
   * processor time, most of it the server's.
   */
  empty(): Promise<void>;
  /** Makes the same tables once more, or those of another model, in another schema. */
  addSchema(name: string, other?: PrismaModel): Promise<void>;
}

/**
 * Copies a migrated template, which takes about 0.1 s, on the server of TEST_DATABASE_URL.
 * @example await using database = await testDatabase('read-model');
 */
export async function testDatabase(model: PrismaModel): Promise<TestDatabase> {
  const serverUrl = process.env['TEST_DATABASE_URL'];
  if (!serverUrl) throw new Error('TEST_DATABASE_URL is not set: is this an integration test (.int.spec.ts)?');
  const schema = schemaOf[model];
  const database = await createScratchDatabase(serverUrl, await ensureTemplate(serverUrl, model));
  const options = `-c search_path=${schema}`;
  const pool = new Pool({ connectionString: database.url, options, max: 10, pipeline: true }); // as the services have it
  pool.on('error', () => undefined); // a test may cut its connections on purpose
  return {
    url: database.url,
    schema,
    pool,
    empty: () => emptyTables(pool, schema),
    addSchema: async (name, other = model) => void (await migrate(database.url, [{ name, model: other }])),
    [Symbol.asyncDispose]: async () => {
      await pool.end();
      await database[Symbol.asyncDispose]();
    },
  };
}

async function ensureTemplate(serverUrl: string, model: PrismaModel): Promise<string> {
  const checksums = readMigrations(modelFolder(model)).map(({ checksum }) => checksum);
  const name = `template_${schemaOf[model]}_${createHash('sha256').update(checksums.join()).digest('hex').slice(0, 16)}`;
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [templateLock]);
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 0) await createTemplate(serverUrl, model, name);
    return name;
  } finally {
    await client.end();
  }
}

/** It gets its name when it is complete. */
async function createTemplate(serverUrl: string, model: PrismaModel, name: string): Promise<void> {
  const draft = `${name}_draft`;
  await queryOnce(serverUrl, `drop database if exists ${draft}`);
  await queryOnce(serverUrl, `create database ${draft}`);
  await migrate(withDatabase(serverUrl, draft), [{ name: schemaOf[model], model }]);
  await queryOnce(serverUrl, `alter database ${draft} rename to ${name}`);
}

/** As migrated: no migration fills a table but that of the migrations. */
async function emptyTables(pool: Pool, schema: string): Promise<void> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname = $1 and tablename <> '_prisma_migrations'`,
    [schema],
  );
  const looks = tables.map(({ name }) => `select ${pg.escapeLiteral(name)} as name where exists (select from ${name})`);
  const { rows: filled } = await pool.query<{ name: string }>(looks.join(' union all '));
  if (filled.length === 0) return;
  await pool.query(`truncate ${filled.map(({ name }) => name).join()} restart identity cascade`);
}
