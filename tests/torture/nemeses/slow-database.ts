import { setTimeout as sleep } from 'node:timers/promises';
import { lacksNothing, type Nemesis } from '../nemesis.ts';
import { serviceOf } from './services.ts';

const slowMs = 500;

export const slowDatabase: Nemesis = {
  name: 'slow-database',
  fault: 'N10',
  about: `every statement of a service takes ${slowMs} ms longer`,
  targets: ['profile', 'selection', 'impression', 'projection', 'purchase-validation'],
  lastsMs: [2_000, 15_000],
  recoversMs: 3_000,
  lacks: lacksNothing,
  async strike({ postgresLinks }, { target, lastsMs }) {
    const link = postgresLinks.get(serviceOf(target));
    link?.set(slowMs);
    await sleep(lastsMs);
    link?.set('open');
  },
};
