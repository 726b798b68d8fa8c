import { afterAll, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ProcessGroup } from './process-group.ts';

/** A process that writes its name when it is told to end, and ends if it is willing to. */
function member(name: string, log: string, willing = true): ChildProcess {
  const end = willing ? 'exit 0' : 'true';
  const script = `trap 'echo ${name} >> ${log}; ${end}' TERM; echo up; while true; do sleep 0.05; done`;
  return spawn('/bin/sh', ['-c', script], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
}

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    // One that has ended and waits for its parent to ask counts as gone.
    return !existsSync('/proc/self') || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

describe('ProcessGroup', () => {
  const folder = mkdtempSync(join(tmpdir(), 'group-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  const log = () => {
    const file = join(mkdtempSync(join(folder, 'test-')), 'log');
    writeFileSync(file, '');
    return file;
  };

  it('ends gateways first, then services, then servers; one that does not end is killed', async () => {
    const file = log();
    const group = new ProcessGroup();
    const children = [member('server', file), member('service', file, false), member('gateway', file)] as const;
    await Promise.all(children.map((child) => once(child.stdout!, 'data')));
    group.add(children[0], 'server');
    group.add(children[1], 'service');
    group.add(children[2], 'gateway');

    await group.endAll();

    expect(readFileSync(file, 'utf8')).toBe('gateway\nservice\nserver\n');
    expect(children.map(({ signalCode }) => signalCode)).toEqual([null, 'SIGKILL', null]);
  }, 30_000);

  it('kills what is added when it has begun to end', async () => {
    const group = new ProcessGroup();
    const ending = group.endAll();
    const late = member('late', log());
    group.add(late, 'service');
    await Promise.all([ending, once(late, 'exit')]);
    expect(late.signalCode).toBe('SIGKILL');
  }, 30_000);

  it('ends its members in the same order when its own process is killed hard', async () => {
    const file = log();
    const names = ['server', 'service', 'gateway'];
    const script = `
      import { spawn } from 'node:child_process';
      import { ProcessGroup } from ${JSON.stringify(join(import.meta.dirname, 'process-group.ts'))};
      const group = new ProcessGroup();
      const gone = spawn('/bin/true'); group.add(gone, 'service');
      const member = ${member.toString()};
      const children = ${JSON.stringify(names)}.map((name) => [name, member(name, ${JSON.stringify(file)})]);
      for (const [name, child] of children) { group.add(child, name); await new Promise((up) => child.stdout.once('data', up)); }
      console.log(children.map(([, child]) => child.pid).join());
      setInterval(() => {}, 1000);`;
    const launcher = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(launcher.stdout, 'data')) as [Buffer];
    const pids = line.toString().trim().split(',').map(Number);
    expect(pids.map(isAlive)).toEqual([true, true, true]);

    launcher.kill('SIGKILL');

    while (pids.some(isAlive)) await delay(50);
    expect(readFileSync(file, 'utf8')).toBe('gateway\nservice\nserver\n');
  }, 60_000);
});
