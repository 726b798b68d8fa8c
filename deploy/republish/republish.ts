import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { groups } from '@paywright/contracts';
import { CoalescingProducer, createKafka, readTopicUse, type KafkaConnection } from '@paywright/messaging';
import { createLogger, kafkaAddress, loadConfig, Metrics, ToldError } from '@paywright/platform';
import { createTopicsOfManifest, topicManifest } from '../create-topics.ts';
import { topicsConfig } from '../job-configs.ts';
import { UsageError } from '../local/usage-error.ts';
import { findProjectRoot } from '../migrate/database-schemas.ts';
import { migrate } from '../migrate/migrate.ts';
import { keptModels } from './kept-models.ts';
import { withReadersReset } from './reset-readers.ts';

/** The services that own streams. Each knows best what it published. */
const writers = ['catalog', 'profile', 'selection', 'impression', 'purchase-validation'];

/**
 * Fills empty topics with all that the event stores hold, and lets their followers begin at the beginning.
 * @param env of a service: DATABASE_URL, KAFKA_BROKERS, MASTER_KEY
 * @throws UsageError if the topics hold something, or somebody reads them
 */
export async function republish(env: NodeJS.ProcessEnv): Promise<void> {
  const databaseUrl = env['DATABASE_URL'] ?? '';
  await Promise.all([migrate(databaseUrl), createTopicsOfManifest(env)]);
  const logger = createLogger({ service: 'republish', level: 'error' });
  const kafka = createKafka({ ...kafkaAddress(loadConfig(topicsConfig, env)), clientId: 'republish', logger });
  await requireUnused(kafka);
  await withReadersReset(databaseUrl, async () => {
    await publishModels(kafka, databaseUrl);
    await Promise.all(writers.map((name) => republishStore(name, env)));
  });
  console.log('The topics hold what the event stores hold. The services may start.');
}

async function requireUnused(kafka: KafkaConnection): Promise<void> {
  const names = topicManifest().topics.map(({ name }) => name);
  const { written, joined } = await readTopicUse(kafka, names, Object.values(groups));
  if (joined.length > 0) throw new UsageError(`Stop the services first: ${joined.join(', ')} read the topics.`);
  if (written.length > 0)
    throw new UsageError(
      [
        `There are records in ${written.join(', ')}.`,
        'Topics that hold something cannot be filled: what comes behind it may contradict it. Give empty ones: delete',
        'these, or the whole folder kafka of the data of npm start, and run this again.',
      ].join('\n'),
    );
}

async function publishModels(kafka: KafkaConnection, databaseUrl: string): Promise<void> {
  const records = await keptModels(databaseUrl);
  const producer = new CoalescingProducer({ kafka, metrics: new Metrics() });
  await producer.connect();
  await producer.send(records);
  await producer.close();
  console.log(`models: ${records.length} records`);
}

async function republishStore(name: string, env: NodeJS.ProcessEnv): Promise<void> {
  const program = join(findProjectRoot(), 'dist', 'apps', name, 'main.js');
  const service = spawn(process.execPath, [program, 'republish'], { env, stdio: 'inherit' });
  await once(service, 'exit');
  if (service.exitCode !== 0)
    throw new ToldError(`The events of ${name} were not all published; empty the topics again.`);
}
