import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const loggingProcess = fileURLToPath(new URL('./testing/logging-process.ts', import.meta.url));

/** Runs a process whose standard output cannot be written. @returns its exit code, and what it said on standard error */
async function runUnwritable(...args: readonly string[]) {
  const unwritable = openSync(loggingProcess, 'r');
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', loggingProcess, ...args], {
    stdio: ['ignore', unwritable, 'pipe'],
  });
  const [said, [code]] = await Promise.all([text(child.stderr!), once(child, 'exit')]);
  closeSync(unwritable);
  return [code, said];
}

it('ends nothing where its lines cannot be written', async () => {
  expect(await runUnwritable()).toEqual([0, 'written\n']);
});

it('is written again once it can be, also where more than may wait was left out', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'log-'));
  try {
    const file = join(folder, 'log');
    expect(await runUnwritable(file)).toEqual([0, 'written\n']);
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    const written = lines.map((line): { line?: number; message: string } => JSON.parse(line));
    expect(written.length).toBeGreaterThan(1_000);
    expect(written.slice(0, -1).map(({ line }) => line)).toEqual(written.slice(0, -1).map((_, index) => index));
    expect(written.at(-1)).toMatchObject({ message: 'There is space' });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
