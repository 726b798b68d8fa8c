import { runCommand } from '../local/run-program.ts';
import { additiveFaults } from './additive.ts';
import { modelFolder, prismaModels } from './database-schemas.ts';
import { findDifference } from './difference.ts';
import { readMigrations } from './migration-folder.ts';
import { withPostgresServer } from './with-server.ts';

const usage = `Proves, on a PostgreSQL of its own, that the migrations below prisma/ make what their schema.prisma says, and that the
version before can work on beside each of them. It ends with 1 and says what is wrong where that is not so.

  npm run migrations:check
  npm run migrations:check -- --help   this text
`;

async function check(): Promise<void> {
  const breaking = prismaModels.flatMap((model) => readMigrations(modelFolder(model)).flatMap(additiveFaults));
  for (const fault of breaking) console.error(`${fault} See docs/rolling-change.md.`);
  const differing = await withPostgresServer(async (serverUrl) => {
    let count = 0;
    for (const model of prismaModels) {
      const sql = await findDifference(serverUrl, model);
      if (sql === '') continue;
      count += 1;
      console.error(`prisma/${model}: the migrations do not make what schema.prisma says. Missing is:\n\n${sql}`);
      console.error(`Write it with: npm run migrations:diff -- ${model} <name>\n`);
    }
    return count;
  });
  if (differing + breaking.length > 0) process.exitCode = 1;
  else console.log(`Schema and migrations agree: ${prismaModels.join(', ')}.`);
}

/** `npm run migrations:check` */
await runCommand(usage, check);
