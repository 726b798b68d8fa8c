import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@paywright/deploy/local/free-ports.ts';

/** Stripe's own stand-in for its API, made of its published OpenAPI description. */
const goModule = 'github.com/stripe/stripe-mock@v0.203.0';

/** Go builds it; without Go it cannot be asked. */
export const isGoThere = spawnSync('go', ['version']).status === 0;

export interface StripeMock extends AsyncDisposable {
  readonly url: string;
}

/** Builds stripe-mock, which takes a minute the first time, and starts it on a free port of the loopback. */
export async function startStripeMock(): Promise<StripeMock> {
  const folder = mkdtempSync(join(tmpdir(), 'stripe-mock-'));
  execFileSync('go', ['install', goModule], { env: { ...process.env, GOBIN: folder, GOFLAGS: '' }, stdio: 'pipe' });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const server = spawn(join(folder, 'stripe-mock'), ['-http-addr', `127.0.0.1:${port}`], { stdio: 'ignore' });
  const ended = once(server, 'exit');
  await untilAnswering(url);
  return {
    url,
    [Symbol.asyncDispose]: async () => {
      server.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function untilAnswering(url: string): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const isUp = await fetch(url).then(
      () => true,
      () => false,
    );
    if (isUp) return;
    await sleep(50);
  }
  throw new Error('stripe-mock did not answer within 10 s');
}
