import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { familyOf } from '../../stack/process-family.ts';

/** Stops a process and all that it started, as a machine does that swaps or is paused. @returns what lets them go on */
function freeze({ pid }: ChildProcess): () => void {
  if (pid === undefined) return () => undefined;
  const family = familyOf(pid);
  for (const each of family) signal(each, 'SIGSTOP');
  return () => {
    for (const each of family) signal(each, 'SIGCONT');
  };
}

/** What a machine lacks on which nothing can be frozen. */
export const lacksFreezing = (): string | null => (process.platform === 'win32' ? 'SIGSTOP' : null);

/** Freezes them for a while. */
export async function freezeFor(lastsMs: number, children: readonly ChildProcess[]): Promise<void> {
  const wake = children.map(freeze);
  await sleep(lastsMs);
  for (const goOn of wake) goOn();
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended meanwhile.
  }
}
