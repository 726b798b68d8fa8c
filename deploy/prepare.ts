import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig, misspeltLine, misspeltVariables, refusePlainConnections } from '@paywright/platform';
import { connectKafka, createTopicsOfManifest } from './create-topics.ts';
import { prepareConfig } from './job-configs.ts';
import { runCommand } from './local/run-program.ts';
import { loadSecrets } from './local/secrets.ts';
import { writeFileAtomically } from './local/write-file-atomically.ts';
import { prepareDatabase } from './migrate/prepare-database.ts';
import { requireHistory } from './republish/require-history.ts';

const usage = `Migrates the database, creates missing topics, and names those whose settings lose records.

  node dist/deploy/prepare/main.js          with DATABASE_URL and KAFKA_*, before the services of a new version start;
                                            with SECRETS_DIR it also makes the secrets that this folder lacks
  node dist/deploy/prepare/main.js --help   this text
`;

/** The job that runs before the services of a new version: migrates the database, creates missing topics. */
async function prepare(): Promise<void> {
  const config = loadConfig(prepareConfig, process.env);
  refusePlainConnections(config);
  for (const misspelt of misspeltVariables(Object.keys(prepareConfig.shape), process.env)) {
    console.warn(misspeltLine(misspelt));
  }
  const { DATABASE_URL, SECRETS_DIR } = config;
  if (SECRETS_DIR !== undefined) makeSecrets(SECRETS_DIR);
  const [migrations, topics] = await Promise.all([prepareDatabase(DATABASE_URL), createTopicsOfManifest(process.env)]);
  for (const { schema, migration } of migrations) console.log(`${schema}: applied ${migration}`);
  for (const topic of topics.created) console.log(`created topic ${topic}`);
  for (const difference of topics.differences) console.warn(difference);
  await requireHistory(connectKafka(process.env), DATABASE_URL);
  console.log('Database and topics are ready.');
}

/**
 * One file a secret, as the gateway's MASTER_KEY_FILE and ADMIN_TOKENS_FILE read them. What is there stays: another one was put
 * in the place of the first.
 */
function makeSecrets(folder: string): void {
  const { masterKey, adminTokens } = loadSecrets(folder);
  const files = { 'master-key': masterKey, 'admin-tokens': adminTokens };
  for (const [name, secret] of Object.entries(files)) {
    const file = join(folder, name);
    if (!existsSync(file)) writeFileAtomically(file, secret);
  }
}

await runCommand(usage, prepare);
