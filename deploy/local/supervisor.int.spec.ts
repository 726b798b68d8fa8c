import { describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Supervisor, type Started } from './supervisor.ts';

const sleeper = () => spawn('/bin/sleep', ['60'], { stdio: 'ignore' });

function supervised(start: () => Promise<Started<string>>) {
  const said: string[] = [];
  const ending = new AbortController();
  const changes: boolean[] = [];
  const supervisor: Supervisor<string> = new Supervisor({
    name: 'profile',
    start,
    say: (line) => said.push(line),
    onChange: () => changes.push(supervisor.current !== undefined),
    ending: ending.signal,
  });
  return { supervisor, said, changes, ending };
}

describe('Supervisor', () => {
  it('starts a process that dies again, and says so', async () => {
    let starts = 0;
    const { supervisor, said, changes, ending } = supervised(async () => {
      starts += 1;
      if (starts === 2) throw new Error('not yet');
      return { process: sleeper(), info: `start ${starts}` };
    });
    expect(await supervisor.start()).toBe('start 1');
    const first = supervisor.current!.process;

    first.kill('SIGKILL');
    while (supervisor.current?.info !== 'start 3') await delay(20);

    expect(said).toEqual([
      `profile (process ${first.pid}) ended with SIGKILL; starting it again in 200 ms`,
      'profile: not yet',
      `profile is back (process ${supervisor.current.process.pid})`,
    ]);
    expect(changes).toEqual([true, false, true]);
    ending.abort();
    supervisor.current.process.kill();
  }, 30_000);

  it('lets it be when everything ends', async () => {
    const { supervisor, said, ending } = supervised(async () => ({ process: sleeper(), info: '' }));
    await supervisor.start();
    const { process } = supervisor.current!;
    ending.abort();
    process.kill();
    await once(process, 'exit');
    await delay(400);
    expect(supervisor.current).toBeUndefined();
    expect(said).toEqual([]);
  }, 30_000);

  it('does not try again what cannot start the first time', async () => {
    const { supervisor } = supervised(async () => Promise.reject(new Error('no such file')));
    await expect(supervisor.start()).rejects.toThrow('no such file');
  });
});
