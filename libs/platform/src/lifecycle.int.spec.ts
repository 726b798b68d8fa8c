import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { forkScript } from './testing/forked-script.ts';

const lifecycleProcess = fileURLToPath(new URL('./testing/lifecycle-process.ts', import.meta.url));

async function started(scenario: string) {
  const script = forkScript(lifecycleProcess, scenario);
  return { ...script, ready: await script.message };
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
    expect(logged).toMatchObject([
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
    expect(logged).toMatchObject([{ error: { message: 'nobody caught this' } }]);
  });
});
