import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kafkaRuntime } from '@paywright/deploy/local/kafka-runtime.ts';
import { startKafka } from '@paywright/deploy/local/kafka.ts';
import { startPostgres } from '@paywright/deploy/local/postgres.ts';
import { ProcessGroup } from '@paywright/deploy/local/process-group.ts';
import type { TestRuntime, TestRuntimeParts } from './test-runtime.ts';

/** Starts the programs of the local runtime on a folder of the system's temporary ones, without fsync. */
export async function startEmbedded(parts: Required<TestRuntimeParts>): Promise<TestRuntime> {
  const folder = temporaryFolder();
  const group = new ProcessGroup();
  const stop = async () => {
    await group.endAll();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  const [database, broker] = await Promise.allSettled([
    parts.postgres ? postgresIn(folder, group) : '',
    parts.kafka ? kafkaIn(folder, group) : '',
  ]);
  if (database.status === 'fulfilled' && broker.status === 'fulfilled')
    return { databaseUrl: database.value, kafkaBrokers: broker.value, stop };
  await stop();
  throw database.status === 'rejected' ? database.reason : broker.status === 'rejected' ? broker.reason : undefined;
}

/** One that a server under another account may enter. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'paywright-test-'));
  chmodSync(folder, 0o755);
  return folder;
}

async function postgresIn(folder: string, group: ProcessGroup): Promise<string> {
  const logFile = join(folder, 'postgres.log');
  const { url } = await startPostgres({ dataDir: join(folder, 'postgres'), logFile, group, durable: false });
  return url;
}

async function kafkaIn(folder: string, group: ProcessGroup): Promise<string> {
  const runtimeDir = await kafkaRuntime(join(process.cwd(), '.data'), (line) => process.stdout.write(`${line}\n`));
  const logFile = join(folder, 'kafka.log');
  const { brokers } = await startKafka({ dataDir: folder, runtimeDir, logFile, group, durable: false });
  return brokers;
}
