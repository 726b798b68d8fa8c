import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { loadConfig } from '@paywright/platform';
import { z } from 'zod';
import { UsageError } from '../local/usage-error.ts';

const Given = z.object({ DATABASE_URL: z.string().optional(), KAFKA_BROKERS: z.string().optional() });
const Runtime = z.object({ database: z.string(), kafka: z.string() });

/**
 * The database and the broker that the environment names, else those of what runs with its data folder.
 * @throws UsageError if neither tells
 */
export function findServers(env: NodeJS.ProcessEnv): { readonly DATABASE_URL: string; readonly KAFKA_BROKERS: string } {
  const { DATABASE_URL, KAFKA_BROKERS } = loadConfig(Given, env);
  if (DATABASE_URL && KAFKA_BROKERS) return { DATABASE_URL, KAFKA_BROKERS };
  const dataDir = resolve(env['PAYWRIGHT_DATA_DIR'] || '.data');
  const runtime = readRuntime(join(dataDir, 'runtime.json'));
  if (runtime === null)
    throw new UsageError(
      `Nothing runs with the data in ${dataDir}. Start it with npm start, or set DATABASE_URL and KAFKA_BROKERS.`,
    );
  return { DATABASE_URL: DATABASE_URL || runtime.database, KAFKA_BROKERS: KAFKA_BROKERS || runtime.kafka };
}

function readRuntime(file: string): z.output<typeof Runtime> | null {
  try {
    return Runtime.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}
