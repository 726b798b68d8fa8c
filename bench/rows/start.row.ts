import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RowAlone } from '../row.ts';
import { startStack } from '../stack.ts';

/**
 * The first start on a fresh checkout: nothing is built, no jars are fetched, there is no data. Then the second.
 * The product must not run elsewhere in this folder, since what is built is removed.
 */
export const startRow: RowAlone = {
  name: 'start',
  about: 'npm start after installation, the first and the second time',
  async measure(say) {
    const dataDir = await mkdtemp(join(tmpdir(), 'bench-start-'));
    rmSync('dist', { recursive: true, force: true });
    const times: number[] = [];
    try {
      for (const which of ['first', 'second']) {
        const { readyAfterMs, stop } = await startStack(dataDir);
        await stop();
        say(`  ${which} start: ready after ${(readyAfterMs / 1000).toFixed(1)} s`);
        times.push(readyAfterMs / 1000);
      }
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
    const [first = NaN, second = NaN] = times;
    const about = { row: 'npm start', unit: 's', better: 'lower' } as const;
    return [
      { ...about, what: 'first after installation', value: first, must: 25, aim: 15 },
      { ...about, what: 'second', value: second, must: 12, aim: 8 },
    ];
  },
};
