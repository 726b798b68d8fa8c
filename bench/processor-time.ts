import { readdirSync, readFileSync } from 'node:fs';
import type { Stack } from './stack.ts';

const clockTicksASecond = 100;

interface ProcessTimes {
  readonly parent: number;
  readonly seconds: number;
}

/** Of a process, with its children that have ended; null if it has ended itself. */
function timesOf(pid: number): ProcessTimes | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Behind the name, which may hold anything: state, parent, … and from the 12th on user, system, and the children's.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { parent: Number(fields[1]), seconds: ticks / clockTicksASecond };
  } catch {
    return null;
  }
}

/** Processor time that a process has taken, in seconds. @throws if it has ended */
export function cpuSeconds(pid: number): number {
  const times = timesOf(pid);
  if (times === null) throw new Error(`process ${pid} has ended`);
  return times.seconds;
}

/**
 * Processor time that each part of a product has taken, in seconds: its services, all instances of one together, and
 * its broker and database with their processes. By name.
 */
export function productCpuSeconds({ services, servers }: Stack): ReadonlyMap<string, number> {
  const processes = new Map<number, ProcessTimes>();
  for (const pid of readdirSync('/proc').map(Number)) {
    const times = pid > 0 ? timesOf(pid) : null;
    if (times !== null) processes.set(pid, times);
  }
  const treeOf = (root: number): number => {
    const children = [...processes].filter(([, { parent }]) => parent === root).map(([pid]) => pid);
    return children.reduce((sum, pid) => sum + treeOf(pid), processes.get(root)?.seconds ?? 0);
  };
  const sums = new Map<string, number>();
  for (const { name, pid } of [...services, ...servers]) sums.set(name, (sums.get(name) ?? 0) + treeOf(pid));
  return sums;
}

/** What each part took between two looks, in milliseconds a piece of work; the costliest first. */
export function costOfEach(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
  pieces: number,
): readonly (readonly [name: string, milliseconds: number])[] {
  return [...after]
    .map(([name, seconds]) => [name, ((seconds - (before.get(name) ?? 0)) * 1_000) / pieces] as const)
    .sort(([, one], [, other]) => other - one);
}
