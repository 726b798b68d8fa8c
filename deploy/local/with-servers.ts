import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { lockDataFolder } from './data-lock.ts';
import { kafkaRuntime } from './kafka-runtime.ts';
import { startKafka } from './kafka.ts';
import { UsageError } from './usage-error.ts';
import { startPostgres } from './postgres.ts';
import { ProcessGroup } from './process-group.ts';
import { loadSecrets } from './secrets.ts';
import { readVariables } from './variables.ts';

/**
 * Runs the work with the environment that leads a service to its database and its broker: those that are given, else
 * those of the data folder, which run for as long as it takes.
 * @throws UsageError, DataInUse
 */
export async function withServers<Result>(
  given: NodeJS.ProcessEnv,
  work: (env: NodeJS.ProcessEnv) => Promise<Result>,
): Promise<Result> {
  const env = readVariables(given);
  if (env['DATABASE_URL'] && env['KAFKA_BROKERS']) return work(env);
  if (env['DATABASE_URL'] || env['KAFKA_BROKERS'])
    throw new UsageError('Set both DATABASE_URL and KAFKA_BROKERS, or neither.');
  const dataDir = resolve(env['PAYWRIGHT_DATA_DIR'] || '.data');
  if (!existsSync(join(dataDir, 'postgres', 'PG_VERSION')))
    throw new UsageError(`There is no database in ${dataDir}. Set DATABASE_URL and KAFKA_BROKERS, or restore it.`);
  const release = lockDataFolder(dataDir);
  const group = new ProcessGroup();
  try {
    const servers = await startServers(dataDir, group);
    const { masterKey, adminTokens } = loadSecrets(dataDir);
    return await work({ MASTER_KEY: masterKey, ADMIN_TOKENS: adminTokens, ...env, ...servers });
  } finally {
    await group.endAll();
    release();
  }
}

async function startServers(dataDir: string, group: ProcessGroup) {
  const logs = join(dataDir, 'logs');
  mkdirSync(logs, { recursive: true });
  const runtimeDir = await kafkaRuntime(dataDir, (line) => console.error(line));
  const own = { group, durable: true };
  const [postgres, kafka] = await Promise.all([
    startPostgres({ ...own, dataDir: join(dataDir, 'postgres'), logFile: join(logs, 'postgres.log') }),
    startKafka({ ...own, dataDir, runtimeDir, logFile: join(logs, 'kafka.log') }),
  ]);
  return { DATABASE_URL: postgres.url, KAFKA_BROKERS: kafka.brokers };
}
