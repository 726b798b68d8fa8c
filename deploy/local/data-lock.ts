import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ToldError } from '@paywright/platform/told-error';

/** Another launcher holds the data. */
export class DataInUse extends ToldError {
  override readonly name = 'DataInUse';
}

/** Locks that are held: a database that nobody refers to is closed, and gives its lock up. */
const held = new Set<DatabaseSync>();

/**
 * Takes a data folder for this process, until it ends, however it ends.
 * Node has no flock; SQLite's exclusive lock is one of the operating system's, so that it is never stale.
 * @returns gives the folder back
 * @throws DataInUse with who holds it
 */
export function lockDataFolder(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true });
  const holderFile = join(dataDir, 'launcher.pid');
  const database = new DatabaseSync(join(dataDir, 'launcher.lock'), { timeout: 0 });
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch {
    database.close();
    throw new DataInUse(`${dataDir} is in use by ${describeHolder(dataDir, holderFile)}`);
  }
  writeFileSync(holderFile, `${process.pid}\n`);
  held.add(database);
  return () => {
    held.delete(database);
    database.close();
  };
}

function describeHolder(dataDir: string, holderFile: string): string {
  try {
    const pid = readFileSync(holderFile, 'utf8').trim();
    const gateway = gatewayOf(join(dataDir, 'runtime.json'));
    return `process ${pid}${gateway ? `, whose gateway is ${gateway}` : ''}. Stop it with: kill ${pid}`;
  } catch {
    return 'another launcher that is just starting.';
  }
}

function gatewayOf(runtimeFile: string): string | undefined {
  try {
    const runtime: unknown = JSON.parse(readFileSync(runtimeFile, 'utf8'));
    if (typeof runtime !== 'object' || runtime === null || !('gateway' in runtime)) return undefined;
    return typeof runtime.gateway === 'string' ? runtime.gateway : undefined;
  } catch {
    return undefined;
  }
}
