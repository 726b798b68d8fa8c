import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ConfigurationError } from '@paywright/platform';
import type { Pool } from 'pg';

/** A folder below prisma/: whose tables a pool reads. */
export type Tables =
  'event-store' | 'read-model' | 'gateway' | 'purchase-validation' | 'selection-learning' | 'store-credentials';

/**
 * A version that starts before its migrations would be ready, take its partitions from instances that work, and fail at
 * each statement.
 * @param pool its search path is the schema that holds the tables
 * @throws ConfigurationError where the schema lacks migrations of this version; more than those harm nobody
 */
export async function requireMigrations(pool: Pool, tables: Tables): Promise<void> {
  const { rows } = await pool.query<{ schema: string; readable: boolean | null }>(
    `select current_setting('search_path') as schema,
            has_table_privilege(to_regclass('_prisma_migrations'), 'select') as readable`,
  );
  const { schema, readable } = rows[0]!;
  if (readable === false) return; // the tables are there, and to this user nothing says how old they are
  const applied = readable ? await appliedMigrations(pool) : new Set();
  const missing = migrationsOf(tables).filter((name) => !applied.has(name));
  if (missing.length === 0) return;
  const problem = `is a database whose schema ${schema} lacks ${missing.join(', ')}: run the job prepare of this version first`;
  throw new ConfigurationError([{ variable: 'DATABASE_URL', problem }]);
}

async function appliedMigrations(pool: Pool): Promise<ReadonlySet<string>> {
  const { rows } = await pool.query<{ name: string }>(
    'select migration_name as name from _prisma_migrations where finished_at is not null and rolled_back_at is null',
  );
  return new Set(rows.map(({ name }) => name));
}

/** Those of this version: above a source file and above a bundle under dist/ alike. */
function migrationsOf(tables: Tables, from: string = import.meta.dirname): readonly string[] {
  const folder = join(from, 'prisma', tables, 'migrations');
  if (existsSync(folder)) return readdirSync(folder).filter((name) => /^\d/.test(name));
  if (dirname(from) === from) throw new Error(`There is no folder prisma/${tables}/migrations above this program.`);
  return migrationsOf(tables, dirname(from));
}
