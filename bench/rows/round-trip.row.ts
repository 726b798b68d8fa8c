import { randomUUID } from 'node:crypto';
import { installPeers, peerFile, startProcess } from '../peer-process.ts';
import { benchTopics, connect } from '../round-trip/bench-topics.ts';
import type { ClosedLoopResult } from '../round-trip/closed-loop.ts';
import type { Row } from '../row.ts';

const inFlight = 128;
const seconds = 8;
const runs = 2;
const file = (name: string): URL => new URL(`../round-trip/${name}`, import.meta.url);
const loop = [String(inFlight), String(seconds)];

async function ours(brokers: string): Promise<ClosedLoopResult> {
  await using topics = await benchTopics(connect(brokers), ['']);
  const args = [brokers, ...topics.names];
  await using service = new AsyncDisposableStack();
  service.use(await startProcess<'ready'>(file('echo-service.ts'), {}, args));
  await using caller = await startProcess<ClosedLoopResult>(file('command-caller.ts'), {}, [...args, ...loop]);
  return caller.said;
}

async function stockNest(brokers: string): Promise<ClosedLoopResult> {
  await using topics = await benchTopics(connect(brokers), ['', '.reply']);
  const args = [brokers, topics.names[0]!, `bench-${randomUUID()}`];
  await using service = new AsyncDisposableStack();
  service.use(await startProcess<'ready'>(peerFile('nest-service.mjs'), {}, args));
  await using caller = await startProcess<ClosedLoopResult>(peerFile('nest-caller.mjs'), {}, [...args, ...loop]);
  return caller.said;
}

const best = (results: readonly ClosedLoopResult[]): ClosedLoopResult =>
  [...results].sort((one, other) => other.perSecond - one.perSecond)[0] ?? { perSecond: NaN, p50: NaN, p99: NaN };

/** Command to reply through the broker, nothing decided or stored: ours and Nest's own transport, A B A B. */
export const roundTripRow: Row = {
  name: 'round-trip',
  about: `command and reply over Kafka, ${inFlight} under way, beside NestJS's Kafka transport`,
  async measure({ stack, say }) {
    installPeers(say);
    const results: { ours: ClosedLoopResult[]; nest: ClosedLoopResult[] } = { ours: [], nest: [] };
    for (let run = 0; run < runs; run++) {
      results.ours.push(await ours(stack.kafka));
      results.nest.push(await stockNest(stack.kafka));
      say(
        `  ours ${Math.round(results.ours[run]!.perSecond)}/s, stock Nest ${Math.round(results.nest[run]!.perSecond)}/s`,
      );
    }
    const [own, peer] = [best(results.ours), best(results.nest)];
    const about = { row: 'round trip', better: 'higher', unit: '/s' } as const;
    return [
      { ...about, what: 'ours', value: own.perSecond, detail: { runs: results.ours } },
      { ...about, what: 'stock NestJS transport', value: peer.perSecond, detail: { runs: results.nest } },
      { ...about, what: 'ours against stock NestJS', value: own.perSecond / peer.perSecond, unit: 'x' },
      { ...about, what: 'ours, p99', value: own.p99, unit: 'ms', better: 'lower' },
      { ...about, what: 'stock NestJS transport, p99', value: peer.p99, unit: 'ms', better: 'lower' },
    ];
  },
};
