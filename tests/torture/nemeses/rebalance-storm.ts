import { setTimeout as sleep } from 'node:timers/promises';
import type { Service } from '../../stack/stack.ts';
import { lacksNothing, type Nemesis } from '../nemesis.ts';
import { serviceOf } from './services.ts';

const members: readonly Service[] = ['profile', 'selection', 'impression', 'projection', 'purchase-validation'];

export const rebalanceStorm: Nemesis = {
  name: 'rebalance-storm',
  fault: 'N9',
  about: 'a second instance of a service joins and leaves its groups, again and again',
  targets: members,
  lastsMs: [4_000, 20_000],
  recoversMs: 3_000,
  lacks: lacksNothing,
  async strike({ stack }, { target, lastsMs }) {
    const service = serviceOf(target);
    const end = performance.now() + lastsMs;
    do {
      await stack.startService(service, 1);
      await sleep(500);
      await stack.stopService(service, 1);
      await sleep(500);
    } while (performance.now() < end);
  },
};
