import { setTimeout as delay } from 'node:timers/promises';
import { residentMegabytes } from '../resident-memory.ts';
import type { Row } from '../row.ts';

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
