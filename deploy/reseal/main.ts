import {
  databaseConfig,
  loadConfig,
  masterKeyConfig,
  masterKeys,
  refusePlainConnections,
  serviceConfig,
} from '@paywright/platform';
import { z } from 'zod';
import { runCommand } from '../local/run-program.ts';
import { reseal } from './reseal.ts';
import { sealedColumns } from './sealed-columns.ts';

const { NODE_ENV, PLAINTEXT_HOSTS } = serviceConfig;

const usage = `Seals again, with MASTER_KEY, what is stored in tables under a key of MASTER_KEY_FORMER, so that that one can go.

  node dist/deploy/reseal/main.js          with DATABASE_URL, MASTER_KEY, MASTER_KEY_FORMER and PROFILE_ID_KEY as the
                                           gateway has them; while services run, and as often as you like
  node dist/deploy/reseal/main.js --help   this text

It ends with status 1 while something is left. docs/security.md says when to run it.
`;

/** `node dist/deploy/reseal/main.js`: ends with status 1 while something is left that a former key alone may open. */
async function main(): Promise<void> {
  const config = loadConfig(
    z.object({ NODE_ENV, PLAINTEXT_HOSTS, ...databaseConfig, ...masterKeyConfig }),
    process.env,
  );
  refusePlainConnections(config);
  const tables = await reseal(config.DATABASE_URL, masterKeys(config), sealedColumns);
  for (const { table, resealed, left } of tables) {
    console.log(`${table}: ${resealed} sealed again${left > 0 ? `, ${left} left` : ''}`);
  }
  if (tables.some(({ left }) => left > 0)) {
    console.error('Something is left: no key that is given opens it, or it was changed meanwhile. Run this again.');
    process.exitCode = 1;
  }
}

await runCommand(usage, main);
