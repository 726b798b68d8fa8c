import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findProjectRoot } from '@paywright/deploy/migrate/database-schemas.ts';
import { peakMegabytes } from '../resident-memory.ts';
import type { Stack } from '../stack.ts';

const lookEveryMs = 50;

/** What a rebuild took: seconds from the command to its end, and its most memory in MB of 10^6 bytes. */
export interface RebuildCost {
  readonly seconds: number;
  readonly megabytes: number;
}

/** What `npm run rebuild -- read-model` does once it is built. @param say is told its lines @throws if it does not switch */
export async function rebuildReadModel(stack: Stack, say: (line: string) => void): Promise<RebuildCost> {
  const program = join(findProjectRoot(), 'dist', 'deploy', 'rebuild', 'main.js');
  const env = { ...process.env, DATABASE_URL: stack.database, KAFKA_BROKERS: stack.kafka };
  const begun = performance.now();
  const child = spawn(process.execPath, [program, 'read-model'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  createInterface(child.stdout).on('line', say);
  let megabytes = 0;
  const looking = setInterval(() => (megabytes = peakOf(child.pid) ?? megabytes), lookEveryMs);
  await ended;
  clearInterval(looking);
  if (child.exitCode !== 0) throw new Error(`the rebuild ended with status ${child.exitCode}`);
  return { seconds: (performance.now() - begun) / 1000, megabytes };
}

function peakOf(pid: number | undefined): number | null {
  try {
    return pid === undefined ? null : peakMegabytes(pid);
  } catch {
    return null; // it is ending
  }
}
