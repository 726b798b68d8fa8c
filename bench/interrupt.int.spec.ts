import { describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const program = `
  const { undoIfInterrupted } = await import(${JSON.stringify(new URL('interrupt.ts', import.meta.url).href)});
  undoIfInterrupted(() => console.log('folder'));
  undoIfInterrupted(async () => { await 0; console.log('product'); });
  undoIfInterrupted(() => { throw new Error('stuck'); });
  undoIfInterrupted(() => console.log('never'))();
  console.log('begun');
  setInterval(() => {}, 1_000);
`;

describe('an interrupted bench', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('undoes by %s what it began, the last thing first', async (signal) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'ignore'] }); // prettier-ignore
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      if (printed === 'begun\n') child.kill(signal);
    });
    await once(child, 'close');
    expect(printed).toBe('begun\nproduct\nfolder\n');
    expect(child.exitCode).toBeGreaterThan(128);
  });
});
