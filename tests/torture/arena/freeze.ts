import { execFileSync, type ChildProcess } from 'node:child_process';

/** Stops a process and all that it started, as a machine does that swaps or is paused. @returns what lets them go on */
export function freeze({ pid }: ChildProcess): () => void {
  if (pid === undefined) return () => undefined;
  const family = descendants(pid);
  for (const each of family) signal(each, 'SIGSTOP');
  return () => {
    for (const each of family) signal(each, 'SIGCONT');
  };
}

/** Its own number, and those of all below it. */
function descendants(pid: number): readonly number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const children = Map.groupBy(
    lines.map((line) => line.trim().split(/\s+/).map(Number)),
    ([, parent]) => parent,
  );
  const family = [pid];
  for (const member of family) for (const [child] of children.get(member) ?? []) if (child) family.push(child);
  return family;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended meanwhile.
  }
}
