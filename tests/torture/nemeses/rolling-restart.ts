import { services } from '../../stack/stack.ts';
import { lacksNothing, type Nemesis } from '../nemesis.ts';

export const rollingRestart: Nemesis = {
  name: 'rolling-restart',
  fault: 'N12',
  about: 'every service is replaced, one after the other: a new instance first, then the old one ends in order',
  targets: [],
  lastsMs: [0, 0],
  recoversMs: 20_000,
  lacks: lacksNothing,
  async strike({ stack }) {
    for (const service of services) {
      await stack.startService(service, 1);
      await stack.restartService(service);
      await stack.stopService(service, 1);
    }
  },
};
