import { setTimeout as sleep } from 'node:timers/promises';
import type { Stack } from '../../stack/stack.ts';
import { freezeFor, lacksFreezing } from '../arena/freeze.ts';
import { untilInSync } from '../arena/in-sync.ts';
import { disturb } from '../arena/link.ts';
import { lacksNothing, type Nemesis } from '../nemesis.ts';

/** Replicas are held by all three, and two must have what is acknowledged: so one may be away. */
export const clusterSize = 3;
const brokers = Array.from({ length: clusterSize }, (_, broker) => broker);
const each = (...ways: readonly string[]) => ways.flatMap((way) => brokers.map((broker) => `${way} ${broker}`));

function broken(target: string): [way: string, broker: number] {
  const [way = '', broker] = target.split(' ');
  return [way, Number(broker)];
}

const ofCluster = { recoversMs: 10_000, brokers: clusterSize, lacks: lacksNothing } as const;

/** Resolves when it is as before. */
async function restart(stack: Stack, broker: number, signal: NodeJS.Signals, awayMs: number): Promise<void> {
  await stack.killBroker(broker, signal);
  await sleep(awayMs);
  await stack.startBroker(broker);
  await untilInSync(stack);
}

export const stopOneBroker: Nemesis = {
  name: 'stop-one-broker',
  fault: 'N2',
  about: 'of several brokers one is killed, or ended in order: others lead its partitions, and give them back',
  targets: each('SIGKILL', 'SIGTERM'),
  lastsMs: [500, 20_000],
  ...ofCluster,
  async strike({ stack }, { target, lastsMs }) {
    const [signal, broker] = broken(target);
    await restart(stack, broker, signal === 'SIGTERM' ? signal : 'SIGKILL', lastsMs);
  },
};

export const freezeOneBroker: Nemesis = {
  name: 'freeze-one-broker',
  fault: 'N3',
  about: 'of several brokers one is stopped, beyond its session with the others, and wakes up as one who leads nothing',
  targets: each('SIGSTOP'),
  lastsMs: [3_000, 45_000],
  ...ofCluster,
  lacks: lacksFreezing,
  async strike({ stack }, { target, lastsMs }) {
    const [, broker] = broken(target);
    const frozen = stack.processOf('kafka', broker);
    if (!frozen) throw new Error(`Broker ${broker} does not run.`);
    await freezeFor(lastsMs, [frozen]);
    await untilInSync(stack);
  },
};

export const loseOneBroker: Nemesis = {
  name: 'lose-one-broker',
  fault: 'N4',
  about: 'of several brokers one is out of reach for all services, while the other brokers reach it and let it lead',
  targets: each('cut', 'silent', 'answers-lost'),
  lastsMs: [500, 15_000],
  ...ofCluster,
  async strike({ kafkaLinks }, { target, lastsMs }) {
    const [way, broker] = broken(target);
    const links = [kafkaLinks.gateway[broker]!, kafkaLinks.services[broker]!];
    await disturb(links, way === 'silent' || way === 'answers-lost' ? way : 'cut', lastsMs);
  },
};

export const rollBrokers: Nemesis = {
  name: 'roll-brokers',
  fault: 'N12',
  about: 'each of several brokers is ended in order and started again, as an upgrade of the cluster does',
  targets: [],
  lastsMs: [500, 3_000],
  ...ofCluster,
  async strike({ stack }, { lastsMs }) {
    for (const broker of stack.allBrokers) await restart(stack, broker, 'SIGTERM', lastsMs);
  },
};
