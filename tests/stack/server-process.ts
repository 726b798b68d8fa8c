import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { hasEnded } from '@paywright/deploy/local/ending.ts';

/** Undefined if it has ended. */
export const stillRunning = (child: ChildProcess | undefined): ChildProcess | undefined =>
  child && !hasEnded(child) ? child : undefined;

/** Resolves when it has ended, however long that takes. */
export async function kill(child: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
  if (!child || hasEnded(child)) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}
