import { setTimeout as sleep } from 'node:timers/promises';
import { lacksNothing, type Nemesis } from '../nemesis.ts';

export const stopBroker: Nemesis = {
  name: 'stop-broker',
  fault: 'N2',
  about: 'the broker is killed, or ended in order, and is down for a while',
  targets: ['SIGKILL', 'SIGTERM'],
  lastsMs: [500, 10_000],
  recoversMs: 10_000,
  lacks: lacksNothing,
  async strike({ stack }, { target, lastsMs }) {
    await stack.killKafka(target === 'SIGTERM' ? target : 'SIGKILL');
    await sleep(lastsMs);
    await stack.startKafka();
  },
};
