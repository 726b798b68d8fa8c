import { execFileSync } from 'node:child_process';
import { isAlive } from './is-alive.ts';

/**
 * Calls `onGone` when npm, or the shell between npm and this process, is killed hard: then nobody is left who could
 * be sent Ctrl-C. Does nothing in a process that npm did not start.
 */
export function watchNpm(onGone: () => void): void {
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  const grandparent = parentOf(parent);
  const watched = isNpm(grandparent) ? [parent, grandparent] : [parent];
  const watch = setInterval(() => {
    if (process.ppid === parent && watched.every(isAlive)) return;
    clearInterval(watch);
    onGone();
  }, 500);
  watch.unref();
}

const parentOf = (pid: number) => Number(askOf(pid, 'ppid='));
/** Else it is whoever typed the command, and may go home. */
const isNpm = (pid: number) => /\bnpm\b/.test(askOf(pid, 'command='));

/** A property of a process; empty if there is no such process, or no ps. */
function askOf(pid: number, property: string): string {
  try {
    return execFileSync('ps', ['-o', property, '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}
