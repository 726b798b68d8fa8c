import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataInUse, lockDataFolder } from './data-lock.ts';

describe('lockDataFolder', () => {
  let dataDir: string;
  let held: ChildProcess | undefined;
  beforeEach(() => void (dataDir = mkdtempSync(join(tmpdir(), 'lock-'))));
  afterEach(() => {
    held?.kill('SIGKILL');
    rmSync(dataDir, { recursive: true });
  });

  /** Another process that holds the lock until it is killed. */
  async function holder(): Promise<ChildProcess> {
    const lock = join(import.meta.dirname, 'data-lock.ts');
    const script = `import { lockDataFolder } from ${JSON.stringify(lock)};
      lockDataFolder(${JSON.stringify(dataDir)}); console.log('held'); setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    held = child;
    await once(child.stdout, 'data');
    return child;
  }

  it('says who holds the data, and lets it go when its holder is killed', async () => {
    const other = await holder();
    writeFileSync(join(dataDir, 'runtime.json'), '{"gateway":"http://127.0.0.1:3000"}');
    expect(() => lockDataFolder(dataDir)).toThrow(DataInUse);
    expect(() => lockDataFolder(dataDir)).toThrow(`process ${other.pid}, whose gateway is http://127.0.0.1:3000`);

    other.kill('SIGKILL');
    await once(other, 'exit');
    lockDataFolder(dataDir)();
  }, 30_000);

  it('gives it back', () => {
    lockDataFolder(dataDir)();
    lockDataFolder(dataDir)();
  });
});
