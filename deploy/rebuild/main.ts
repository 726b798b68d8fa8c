import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findProjectRoot } from '../migrate/database-schemas.ts';
import { runProgram } from '../local/run-program.ts';
import { migrate } from '../migrate/migrate.ts';
import { queryOnce } from '../migrate/scratch-database.ts';
import { findServers } from './find-servers.ts';
import { parseOptions, usage } from './options.ts';

/** What knows the projection is a program of its own: nothing outside an app knows the app's code. */
const program = join(findProjectRoot(), 'dist', 'apps', 'projection', 'rebuild.js');

/** `npm run rebuild -- read-model`: makes the place for the new read model, and leaves the rest to the projection's program. */
async function main(args: readonly string[]): Promise<void> {
  const action = parseOptions(args);
  if (action === 'help') return console.log(usage);
  const servers = findServers(process.env);
  if (action.startsWith('build')) await makePlace(servers.DATABASE_URL);
  Object.assign(process.env, servers);
  // They are read: with the files named too, each would be set twice.
  for (const name of Object.keys(servers)) delete process.env[`${name}_FILE`];
  process.argv = [process.execPath, program, action];
  await import(pathToFileURL(program).href);
}

/** The same tables by the same migrations. Not while the former one is kept: then the program refuses. */
async function makePlace(databaseUrl: string): Promise<void> {
  const [found] = await queryOnce(databaseUrl, `select to_regnamespace('read_model_former') as former`);
  if (found?.['former'] === null) await migrate(databaseUrl, [{ name: 'read_model_next', model: 'read-model' }]);
}

await runProgram(() => main(process.argv.slice(2)));
