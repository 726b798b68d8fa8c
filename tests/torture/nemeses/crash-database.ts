import { setTimeout as sleep } from 'node:timers/promises';
import { lacksNothing, type Nemesis } from '../nemesis.ts';

export const crashDatabase: Nemesis = {
  name: 'crash-database',
  fault: 'N5',
  about: 'Postgres ends as in a crash (immediate, or SIGKILL), and recovers from its log',
  targets: ['SIGQUIT', 'SIGKILL'],
  lastsMs: [100, 5_000],
  recoversMs: 6_000,
  lacks: lacksNothing,
  async strike({ stack }, { target, lastsMs }) {
    await stack.killPostgres(target === 'SIGQUIT' ? target : 'SIGKILL');
    await sleep(lastsMs);
    await stack.startPostgres();
  },
};
