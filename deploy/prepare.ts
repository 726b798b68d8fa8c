import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UnfinishedRepublish } from '@paywright/event-sourcing';
import { HarmfulTopics } from '@paywright/messaging/topics';
import { ConfigurationError, loadConfig, refusePlainConnections } from '@paywright/platform';
import { connectKafka, createTopicsOfManifest } from './create-topics.ts';
import { prepareConfig } from './job-configs.ts';
import { isHelpAsked } from './local/help-asked.ts';
import { UsageError } from './local/options.ts';
import { loadSecrets } from './local/secrets.ts';
import { writeFileAtomically } from './local/write-file-atomically.ts';
import { prepareDatabase } from './migrate/prepare-database.ts';
import { KafkaWithoutHistory, requireHistory } from './republish/require-history.ts';

const usage = `Migrates the database, creates missing topics, and names those whose settings lose records.

  node dist/deploy/prepare/main.js          with DATABASE_URL and KAFKA_*, before the services of a new version start;
                                            with SECRETS_DIR it also makes the secrets that this folder lacks
  node dist/deploy/prepare/main.js --help   this text
`;

/** The job that runs before the services of a new version: migrates the database, creates missing topics. */
async function prepare(): Promise<void> {
  if (isHelpAsked(process.argv.slice(2), usage)) return console.log(usage);
  const config = loadConfig(prepareConfig, process.env);
  refusePlainConnections(config);
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

try {
  await prepare();
} catch (error) {
  const expected =
    error instanceof UsageError ||
    error instanceof ConfigurationError ||
    error instanceof UnfinishedRepublish ||
    error instanceof HarmfulTopics ||
    error instanceof KafkaWithoutHistory;
  console.error(expected ? error.message : error);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
