import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, closeSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const loggingProcess = fileURLToPath(new URL('./testing/logging-process.ts', import.meta.url));
/** Linux's: whoever writes there is told that no space is left. */
const fullDevice = '/dev/full';

(existsSync(fullDevice) ? it : it.skip)('ends nothing where its lines find no space', async () => {
  const full = openSync(fullDevice, 'w');
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', loggingProcess], {
    stdio: ['ignore', full, 'pipe'],
  });
  const [said, [code]] = await Promise.all([text(child.stderr!), once(child, 'exit')]);
  closeSync(full);
  expect([code, said]).toEqual([0, 'written\n']);
});
