import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Migration {
  readonly name: string;
  readonly sql: string;
  /** Hex SHA-256 of the script, as Prisma stores it. */
  readonly checksum: string;
}

/**
 * The migrations of a folder of Prisma's form (`migrations/<time>_<name>/migration.sql`), oldest first.
 * @param folder the one that holds schema.prisma
 */
export function readMigrations(folder: string): readonly Migration[] {
  const migrations = join(folder, 'migrations');
  if (!existsSync(migrations)) return [];
  return readdirSync(migrations, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
    .map((name) => {
      const sql = readFileSync(join(migrations, name, 'migration.sql'), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    });
}
