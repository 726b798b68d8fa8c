import pg from 'pg';
import { databaseSchemas, modelFolder, type DatabaseSchema } from './database-schemas.ts';
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
): Promise<readonly AppliedMigration[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [advisoryLock]);
    const applied: AppliedMigration[] = [];
    for (const schema of schemas) {
      const names = await migrateSchema(client, databaseUrl, schema.name, readMigrations(folderOf(schema)));
      applied.push(...names.map((migration) => ({ schema: schema.name, migration })));
    }
    return applied;
  } finally {
    await client.end();
  }
}

async function migrateSchema(
  client: pg.Client,
  databaseUrl: string,
  schema: string,
  migrations: readonly Migration[],
): Promise<readonly string[]> {
  const applied = await appliedChecksums(client, schema);
  const edited = migrations.find(({ name, checksum }) => applied.has(name) && applied.get(name) !== checksum);
  if (edited) throw new Error(`Migration ${edited.name} was edited after it had been applied to schema ${schema}.`);
  // The engine is loaded only when there is something to do: that keeps it out of an ordinary start.
  if (migrations.every(({ name }) => applied.has(name))) return [];

  await client.query(`create schema if not exists ${pg.escapeIdentifier(schema)}`);
  const { withSchemaEngine } = await import('./schema-engine.ts');
  return withSchemaEngine({ databaseUrl, schema }, (engine) => engine.apply(migrations));
}

/** Checksum by name of each migration that was applied to its end; empty before the first. */
async function appliedChecksums(client: pg.Client, schema: string): Promise<ReadonlyMap<string, string>> {
  const table = `${pg.escapeIdentifier(schema)}._prisma_migrations`;
  const { rows: found } = await client.query<{ exists: boolean }>('select to_regclass($1) is not null as exists', [
    table,
  ]);
  if (!found[0]?.exists) return new Map();
  const { rows } = await client.query<{ name: string; checksum: string }>(
    `select migration_name as name, checksum from ${table} where finished_at is not null and rolled_back_at is null`,
  );
  return new Map(rows.map(({ name, checksum }) => [name, checksum]));
}
