import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const script = fileURLToPath(new URL('./testing/lifecycle-process.ts', import.meta.url));

async function started(scenario: string) {
  const child = fork(script, [scenario], { silent: true, execArgv: ['--disable-warning=ExperimentalWarning'] });
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  // Not 'close': it does not come once the channel is disconnected.
  const ended = Promise.all([once(child, 'exit'), child.stdout && once(child.stdout, 'end')]);
  const [ready]: unknown[] = await once(child, 'message');
  const end = async () => {
    const [[code]] = await ended;
    const lines = output.trim().split('\n');
    return {
      code,
      said: lines.filter((line) => !line.startsWith('{')),
      logged: lines.filter((l) => l.startsWith('{')),
    };
  };
  return { child, ready, end };
}

describe('Lifecycle', () => {
  it('tells the launcher that it is ready', async () => {
    const { child, ready, end } = await started('orderly');
    expect(ready).toEqual({ type: 'ready', management: 'http://127.0.0.1:1' });
    child.kill('SIGTERM');
    await end();
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('runs every step in order on %s, whatever a step does', async (signal) => {
    const { child, end } = await started('orderly');
    child.kill(signal);
    const { code, said, logged } = await end();
    expect(said).toEqual(['first shutting down', 'hanging', 'last']);
    expect(logged.map((line): unknown => JSON.parse(line))).toMatchObject([
      { step: 'failing', error: { message: 'cannot close' } },
      { step: 'hanging', error: { message: 'not done within 50 ms' } },
    ]);
    expect(code).toBe(0);
  });

  it('ends in order when the launcher is gone', async () => {
    const { child, end } = await started('orderly');
    child.disconnect();
    expect(await end()).toMatchObject({ code: 0, said: ['first shutting down', 'hanging', 'last'] });
  });

  it('takes an echo of the signal for the same, and leaves at once when told again', async () => {
    const { child, end } = await started('hang');
    child.kill('SIGINT');
    await delay(100);
    child.kill('SIGTERM');
    await delay(1_000);
    expect(child.exitCode).toBeNull();
    child.kill('SIGTERM');
    expect(await end()).toMatchObject({ code: 1, said: ['first shutting down', 'hanging'] });
  });

  it('logs what nobody caught and exits with 1', async () => {
    const { end } = await started('throw');
    const { code, said, logged } = await end();
    expect([code, said]).toEqual([1, []]);
    expect(logged.map((line): unknown => JSON.parse(line))).toMatchObject([
      { error: { message: 'nobody caught this' } },
    ]);
  });
});
