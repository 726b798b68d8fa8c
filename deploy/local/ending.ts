import { execFileSync, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const leftoverMs = 12_000;

export const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

/** Sends the signal and waits for the end; after `timeoutMs` the process is killed. */
export async function end(child: ChildProcess, signal: NodeJS.Signals, timeoutMs: number): Promise<void> {
  if (hasEnded(child) || child.pid === undefined) return;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill(signal);
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  await ended;
  clearTimeout(timer);
}

/**
 * Makes way for a server whose last run was killed hard: waits for its process, if it is still ending, and kills it
 * if it does not. A process that only happens to have the same number is left alone, and the file that points to it
 * removed. Otherwise the file stays: PostgreSQL finds in it the shared memory that its orphans may still use.
 * @param pidFile its first line is the number
 * @param mark what the process's command line contains, such as its data folder
 */
export async function endLeftover(pidFile: string, mark: string): Promise<void> {
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  const deadline = performance.now() + leftoverMs;
  while (Number.isInteger(pid) && pid > 0 && commandLine(pid).includes(mark)) {
    if (performance.now() > deadline) process.kill(pid, 'SIGKILL');
    await delay(50);
  }
  if (commandLine(pid) !== '') rmSync(pidFile, { force: true });
}

/** The command line of a process; empty if there is none. */
function commandLine(pid: number): string {
  try {
    if (existsSync('/proc/self/cmdline')) return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}
