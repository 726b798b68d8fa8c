import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { modelFolder, prismaModels } from './database-schemas.ts';
import { findDifference } from './difference.ts';
import { withPostgresServer } from './with-server.ts';

/** `npm run migrations:diff -- <model> <name>`: writes the migration that leads to schema.prisma. */
const [given, name = ''] = process.argv.slice(2);
const model = prismaModels.find((known) => known === given);
if (!model || !/^[a-z0-9_]+$/.test(name)) {
  console.error(`Usage: npm run migrations:diff -- <${prismaModels.join('|')}> <name_in_snake_case>`);
  process.exit(1);
}

const sql = await withPostgresServer((serverUrl) => findDifference(serverUrl, model));
if (sql === '') {
  console.log(`prisma/${model}: schema and migrations agree already.`);
} else {
  const time = new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14);
  const folder = join(modelFolder(model), 'migrations', `${time}_${name}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'migration.sql'), sql);
  writeFileSync(join(folder, '..', 'migration_lock.toml'), 'provider = "postgresql"\n');
  console.log(`Wrote ${join(folder, 'migration.sql')}. Read it before you commit it.`);
}
