import { setTimeout as sleep } from 'node:timers/promises';
import { lacksNothing, type Nemesis } from '../nemesis.ts';
import { services } from '../../stack/stack.ts';
import { serviceOf } from './services.ts';

const hour = 3_600_000;
const aheadMs = [2 * hour, 25 * hour];

/** The clock is that of Paywright (libs/platform), which deadlines against the broker's clock do not use. */
export const moveClock: Nemesis = {
  name: 'move-clock',
  fault: 'N8',
  about: 'one service’s clock jumps 2 h, then 25 h ahead of all others, and back when it is started again',
  targets: services,
  lastsMs: [4_000, 10_000],
  recoversMs: 4_000,
  lacks: lacksNothing,
  async strike({ stack, clocks }, { target, lastsMs }) {
    for (const ahead of aheadMs) {
      clocks.set(target, ahead);
      await sleep(lastsMs / aheadMs.length);
    }
    clocks.set(target, 0);
    await stack.restartService(serviceOf(target));
  },
};

/** No clock of Paywright can be told to be behind the machine’s: so all the others are ahead. */
export const clockBehind: Nemesis = {
  name: 'clock-behind',
  fault: 'N8',
  about:
    'all other services’ clocks jump 25 h ahead, so that one is 25 h behind them; back when they are started again',
  targets: services,
  lastsMs: [4_000, 10_000],
  recoversMs: 8_000,
  lacks: lacksNothing,
  async strike({ stack, clocks }, { target, lastsMs }) {
    const others = services.filter((service) => service !== target);
    for (const service of others) clocks.set(service, 25 * hour);
    await sleep(lastsMs);
    for (const service of others) clocks.set(service, 0);
    for (const service of others) await stack.restartService(service);
  },
};
