import { ToldError } from '@paywright/platform/told-error';
import pg from 'pg';
import { databaseSchemas, modelFolder, type DatabaseSchema } from './database-schemas.ts';
import { defaultPatience, runningPatiently, type LockPatience, type PatientRun } from './lock-patience.ts';
import { readMigrations, type Migration } from './migration-folder.ts';

/** Any number that no one else uses: two migrations of one database run one after the other. */
const advisoryLock = 7_267_370_001n;

export interface AppliedMigration {
  readonly schema: string;
  readonly migration: string;
}

/**
 * Brings every Postgres schema up to date; creates those that are missing. Safe when several run at once.
 * @param folderOf where a schema's migrations are; under prisma/ if left out
 * @returns what had to be applied, in order; empty when all was up to date
 * @throws if a migration fails, or if one was edited after it had been applied
 */
export async function migrate(
  databaseUrl: string,
  schemas: readonly DatabaseSchema[] = databaseSchemas,
  folderOf: (schema: DatabaseSchema) => string = ({ model }) => modelFolder(model),
  patience: LockPatience = defaultPatience,
): Promise<readonly AppliedMigration[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [advisoryLock]);
    const patiently = runningPatiently(patience);
    const applied: AppliedMigration[] = [];
    for (const schema of schemas) {
      const target = { databaseUrl, schema: schema.name, patiently };
      const names = await migrateSchema(client, target, readMigrations(folderOf(schema)));
      applied.push(...names.map((migration) => ({ schema: schema.name, migration })));
    }
    return applied;
  } finally {
    await client.end();
  }
}

async function migrateSchema(
  client: pg.Client,
  target: { readonly databaseUrl: string; readonly schema: string; readonly patiently: PatientRun },
  migrations: readonly Migration[],
): Promise<readonly string[]> {
  const { schema } = target;
  const recorded = await hasRecords(client, schema);
  const applied = recorded ? await appliedChecksums(client, schema) : new Map<string, string>();
  const edited = migrations.find(({ name, checksum }) => applied.has(name) && applied.get(name) !== checksum);
  if (edited) throw new ToldError(`Migration ${edited.name} was edited after it had been applied to schema ${schema}.`);
  // The engine is loaded only when there is something to do: that keeps it out of an ordinary start.
  if (migrations.every(({ name }) => applied.has(name))) return [];

  if (recorded) await giveUpUnfinished(client, schema);
  await client.query(`create schema if not exists ${pg.escapeIdentifier(schema)}`);
  const { withSchemaEngine } = await import('./schema-engine.ts');
  return withSchemaEngine(target, async (engine) => {
    if (!recorded) await engine.apply([]); // makes the table of records
    await client.query(`comment on table ${recordsOf(schema)} is ${pg.escapeLiteral(endsWithScript)}`);
    return engine.apply(migrations);
  });
}

/** The comment of a table of records that are finished in the transaction of their scripts: all of them, from it on. */
const endsWithScript = 'Paywright: a record without an end has changed nothing.';

const recordsOf = (schema: string): string => `${pg.escapeIdentifier(schema)}._prisma_migrations`;

async function hasRecords(client: pg.Client, schema: string): Promise<boolean> {
  const { rows } = await client.query<{ exists: boolean }>('select to_regclass($1) is not null as exists', [
    recordsOf(schema),
  ]);
  return rows[0]!.exists;
}

/** Checksum by name of each migration that was applied to its end. */
async function appliedChecksums(client: pg.Client, schema: string): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    `select migration_name as name, checksum from ${recordsOf(schema)}
     where finished_at is not null and rolled_back_at is null`,
  );
  return new Map(rows.map(({ name, checksum }) => [name, checksum]));
}

/**
 * A migration and the end of its record are one transaction: one that is not finished, as after a crash or a fault, has changed
 * nothing and is applied anew. Waits for one that still runs although its client is gone; that one is finished then.
 * @throws if an older version began it, which finished records after their scripts
 */
async function giveUpUnfinished(client: pg.Client, schema: string): Promise<void> {
  const { rows } = await client.query<{ name: string; comment: string | null }>(
    `select migration_name as name, obj_description($1::regclass) as comment from ${recordsOf(schema)}
     where finished_at is null and rolled_back_at is null order by started_at`,
    [recordsOf(schema)],
  );
  const doubtful = rows.find(({ comment }) => comment !== endsWithScript);
  if (doubtful) throw new ToldError(unclear(schema, doubtful.name));
  await client.query(
    `update ${recordsOf(schema)} set rolled_back_at = now() where finished_at is null and rolled_back_at is null`,
  );
}

const unclear = (schema: string, migration: string): string => {
  const end = (column: string) =>
    `update ${recordsOf(schema)} set ${column} = now() where migration_name = ${pg.escapeLiteral(migration)} and finished_at is null and rolled_back_at is null;`;
  return [
    `Migration ${migration} of schema ${schema} was begun by an older version and is not recorded as finished. It may have been applied. See whether the schema has what the script makes, all of which it made or nothing, and say so:`,
    `if it was applied: ${end('finished_at')}`,
    `if it was not applied: ${end('rolled_back_at')}`,
    'Nothing was changed.',
  ].join('\n');
};
