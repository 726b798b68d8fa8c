import { afterAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endLeftover } from './ending.ts';
import { freePorts, isPortFree } from './free-ports.ts';
import { createServer } from 'node:net';

describe('endLeftover', () => {
  const folder = mkdtempSync(join(tmpdir(), 'leftover-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  const pidFile = (pid: number | string) => {
    const file = join(mkdtempSync(join(folder, 'test-')), 'server.pid');
    writeFileSync(file, `${pid}\nmore\n`);
    return file;
  };

  it('waits for the process of the last run', async () => {
    const leftover = spawn('/bin/sh', ['-c', 'sleep 0.3; : /data/of/mine'], { stdio: 'ignore' });
    const file = pidFile(leftover.pid!);
    await endLeftover(file, '/data/of/mine');
    expect(existsSync(file)).toBe(true);
    if (leftover.exitCode === null) await once(leftover, 'exit');
    expect(leftover.exitCode).toBe(0);
  }, 30_000);

  it('leaves a stranger alone that has got the same number', async () => {
    const stranger = spawn('/bin/sleep', ['60'], { stdio: 'ignore' });
    const file = pidFile(stranger.pid!);
    await endLeftover(file, '/data/of/mine');
    expect(existsSync(file)).toBe(false);
    expect(stranger.exitCode).toBeNull();
    stranger.kill();
  });

  it.each(['', 'nonsense', '-1'])('waits for nobody if the file says %j', async (text) => {
    await endLeftover(pidFile(text), '/');
  });
});

describe('ports', () => {
  it('finds different free ones, and knows a taken one', async () => {
    const [first, second] = await freePorts(2);
    expect(first).not.toBe(second);
    const server = createServer().listen(first, '127.0.0.1');
    await once(server, 'listening');
    expect(await isPortFree(first!)).toBe(false);
    expect(await isPortFree(second!)).toBe(true);
    server.close();
  });
});
