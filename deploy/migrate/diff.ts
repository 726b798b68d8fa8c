import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { modelFolder, prismaModels } from './database-schemas.ts';
import { findDifference } from './difference.ts';
import { withPostgresServer } from './with-server.ts';

const usage = `Writes the migration that leads from those that there are to what schema.prisma says, into prisma/<model>/migrations.

  npm run migrations:diff -- <model> <name>   the name in snake_case
  npm run migrations:diff -- --help           this text

Models: ${prismaModels.join(', ')}.
`;

/** `npm run migrations:diff -- <model> <name>` */
const [given, name = '', ...more] = process.argv.slice(2);
if (given === '--help') {
  console.log(usage);
  process.exit(0);
}
const model = prismaModels.find((known) => known === given);
if (!model || !/^[a-z0-9_]+$/.test(name) || more.length > 0) {
  console.error(`It takes a model and a name in snake_case, and not "${process.argv.slice(2).join(' ')}".\n\n${usage}`);
  process.exit(2);
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
