import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findProjectRoot } from '@paywright/deploy/migrate/database-schemas.ts';
import { compareReadModels } from '../../recovery/database.ts';
import type { Addresses } from '../../stack/connect-to-kafka.ts';
import type { Finding } from './finding.ts';

const run = promisify(execFile);
const program = join(findProjectRoot(), 'dist', 'deploy', 'rebuild', 'main.js');

/** What was made of the topics once more, and compared. */
export interface Rebuilt {
  readonly tables: number;
  readonly rows: number;
  readonly tookMs: number;
}

/**
 * I5: made of the topics once more, the read model is the same, row by row in every table. Only the switch waits until both
 * have every record; so it is switched, at rest, and the former one dropped.
 * @throws Error with what the rebuild says, if it refuses or fails
 */
export async function asRebuilt(addresses: Addresses): Promise<Rebuilt & { readonly findings: readonly Finding[] }> {
  const began = performance.now();
  await rebuild(addresses);
  const { tables, rows, different } = await compareReadModels(addresses.databaseUrl);
  await rebuild(addresses, '--drop-former');
  const sentences = different.map((table) => `${table} is not what the topics make of it`);
  const findings = sentences.map((sentence): Finding => ({ invariant: 'I5', kind: 'wrong', sentence }));
  return { tables, rows, tookMs: performance.now() - began, findings };
}

async function rebuild({ databaseUrl, brokers }: Addresses, ...flags: readonly string[]): Promise<void> {
  const env = { ...process.env, NODE_ENV: 'test', DATABASE_URL: databaseUrl, KAFKA_BROKERS: brokers };
  await run(process.execPath, [program, 'read-model', ...flags], { env });
}
