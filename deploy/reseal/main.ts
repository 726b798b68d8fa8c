import {
  ConfigurationError,
  databaseConfig,
  loadConfig,
  masterKeyConfig,
  masterKeys,
  refusePlainConnections,
  serviceConfig,
} from '@paywright/platform';
import { z } from 'zod';
import { reseal } from './reseal.ts';
import { sealedColumns } from './sealed-columns.ts';

const { NODE_ENV, PLAINTEXT_HOSTS } = serviceConfig;

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

try {
  await main();
} catch (error) {
  console.error(error instanceof ConfigurationError ? error.message : error);
  process.exitCode = 1;
}
