import type { ChildProcess } from 'node:child_process';
import { familyOf } from '../../stack/process-family.ts';

/** Stops a process and all that it started, as a machine does that swaps or is paused. @returns what lets them go on */
export function freeze({ pid }: ChildProcess): () => void {
  if (pid === undefined) return () => undefined;
  const family = familyOf(pid);
  for (const each of family) signal(each, 'SIGSTOP');
  return () => {
    for (const each of family) signal(each, 'SIGCONT');
  };
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended meanwhile.
  }
}
