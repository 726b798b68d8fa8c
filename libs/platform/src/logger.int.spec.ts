import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const loggingProcess = fileURLToPath(new URL('./testing/logging-process.ts', import.meta.url));

it('ends nothing where its lines cannot be written', async () => {
  const unwritable = openSync(loggingProcess, 'r');
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', loggingProcess], {
    stdio: ['ignore', unwritable, 'pipe'],
  });
  const [said, [code]] = await Promise.all([text(child.stderr!), once(child, 'exit')]);
  closeSync(unwritable);
  expect([code, said]).toEqual([0, 'written\n']);
});
