import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isAlive } from '@paywright/deploy/local/is-alive.ts';
import type { Runtime } from '@paywright/deploy/local/runtime-file.ts';
import { undoIfInterrupted } from './interrupt.ts';

/** A product that runs: everything needed to load it and to look inside. */
export interface Stack extends Runtime {
  readonly gateway: string;
  readonly adminToken: string;
}

export interface StartedStack {
  readonly stack: Stack;
  /** From the command to its last line. */
  readonly readyAfterMs: number;
  readonly stop: () => Promise<void>;
}

const startWithinMs = 300_000;

/** What runs on this data folder, or null if nothing does. */
export function runningStack(dataDir: string): Stack | null {
  const file = join(dataDir, 'runtime.json');
  if (!existsSync(file)) return null;
  const runtime: Runtime = JSON.parse(readFileSync(file, 'utf8'));
  const { gateway, adminToken } = runtime;
  if (!gateway || !adminToken || !runtime.services.every(({ pid }) => isAlive(pid))) return null;
  return { ...runtime, gateway, adminToken };
}

/** Waits until a service is there again under another process. */
export async function untilReplaced(dataDir: string, formerPid: number, withinMs = 30_000): Promise<void> {
  for (const end = performance.now() + withinMs; ; await delay(20)) {
    const stack = runningStack(dataDir);
    if (stack && !stack.services.some(({ pid }) => pid === formerPid)) return;
    if (performance.now() > end) throw new Error(`process ${formerPid} was not replaced`);
  }
}

/** `npm start` with these options on a data folder, ready when it has printed its last line. Ended by `stop`. */
export async function startStack(
  dataDir: string,
  env: NodeJS.ProcessEnv = {},
  options: readonly string[] = [],
): Promise<StartedStack> {
  const begun = performance.now();
  const launcher = spawn('npm', ['start', '--', ...options], {
    env: { ...process.env, GATEWAY_PORT: '0', PAYWRIGHT_DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // its own group: a signal reaches npm and the launcher alike
  });
  let printed = '';
  for (const output of [launcher.stdout, launcher.stderr])
    output.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const ended = once(launcher, 'close'); // npm may end before what it started, which has its output open
  const end = async (): Promise<void> => {
    if (launcher.exitCode === null && launcher.pid) process.kill(-launcher.pid, 'SIGTERM');
    await ended;
  };
  const forget = undoIfInterrupted(end);
  const stop = async (): Promise<void> => {
    await end();
    forget();
  };
  while (!printed.includes('is ready')) {
    if (launcher.exitCode !== null) throw new Error(`npm start ended:\n${printed}`);
    if (performance.now() - begun > startWithinMs) {
      await stop();
      throw new Error(`npm start was not ready within ${startWithinMs / 1000} s:\n${printed}`);
    }
    await delay(10);
  }
  const readyAfterMs = performance.now() - begun;
  const stack = runningStack(dataDir);
  if (!stack) throw new Error(`npm start wrote no runtime.json:\n${printed}`);
  return { stack, readyAfterMs, stop };
}
