import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '@paywright/deploy/local/is-alive.ts';

const patienceMs = 5_000;

/** The number of a process, and those of all below it. */
export function familyOf(pid: number): readonly number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const children = Map.groupBy(
    lines.map((line) => line.trim().split(/\s+/).map(Number)),
    ([, parent]) => parent,
  );
  const family = [pid];
  for (const member of family) for (const [child] of children.get(member) ?? []) if (child) family.push(child);
  return family;
}

/** Resolves when none of them runs; or after 5 s, where nobody takes note of the death of those whose parent died. */
export async function untilGone(pids: readonly number[]): Promise<void> {
  for (const end = performance.now() + patienceMs; pids.some(isAlive) && performance.now() < end; await sleep(20));
}
