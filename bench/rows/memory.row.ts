import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Row } from '../row.ts';

/** Resident memory of a process, in MB of 10^6 bytes. */
function residentMegabytes(pid: number): number {
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return (Number(kibibytes) * 1024) / 1e6;
}

/** What each service holds while nobody asks anything of it. First of the rows that load the product. */
export const memoryRow: Row = {
  name: 'memory',
  about: 'resident memory of each service, idle',
  async measure({ stack, say }) {
    say('Waiting 10 s for an idle product …');
    await delay(10_000);
    return stack.services.map(({ name, pid }) => ({
      row: 'memory, idle',
      what: name,
      value: residentMegabytes(pid),
      unit: 'MB',
      better: 'lower',
      must: 180,
      aim: 120,
    }));
  },
};
