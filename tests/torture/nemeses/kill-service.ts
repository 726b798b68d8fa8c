import { setTimeout as sleep } from 'node:timers/promises';
import { services } from '../../stack/stack.ts';
import { lacksNothing, type Nemesis } from '../nemesis.ts';
import { serviceOf } from './services.ts';

export const killService: Nemesis = {
  name: 'kill-service',
  fault: 'N1',
  about: 'SIGKILL to a service, started again after a while',
  targets: services,
  lastsMs: [100, 1_000],
  recoversMs: 4_000,
  lacks: lacksNothing,
  async strike({ stack }, { target, lastsMs }) {
    const service = serviceOf(target);
    await stack.killService(service);
    await sleep(lastsMs);
    await stack.startService(service);
  },
};
