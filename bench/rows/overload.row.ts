import type { Figure } from '../figure.ts';
import { failed, type LoadResult } from '../load/load-job.ts';
import { searchRate } from '../load/search-rate.ts';
import { cpuSeconds } from '../processor-time.ts';
import type { Bench, Row } from '../row.ts';
import { paywallFetches } from '../subject.ts';

const p99BelowMs = 100;
const times = 2;
/** And so many, to tell the cost of a refusal from that of an answer. */
const manyTimes = 4;
/** More than the gateway takes on at a time, so that what it refuses does not wait in the generator instead. */
const connections = 1_024;
/** Until the gateway has found what it can bear. */
const settlingSeconds = 4;

interface Loaded extends LoadResult {
  /** The gateway's, over the whole run. */
  readonly cpuSeconds: number;
}

/** A run with nothing left out as warm-up, since the processor time is that of all its answers. */
async function load({ stack, generator, seconds }: Bench, requests: ReturnType<typeof paywallFetches>, rate: number) {
  const pid = stack.services.find(({ name }) => name === 'gateway')?.pid;
  if (pid === undefined) throw new Error('the gateway does not run here');
  const before = cpuSeconds(pid);
  const result = await generator.run({ ...requests, connections, rate, warmUpSeconds: 0, seconds });
  return { ...result, cpuSeconds: cpuSeconds(pid) - before };
}

/**
 * What a refusal takes of the gateway's processor, in microseconds: two overloads are two equations,
 * time = accepted · (cost of one) + refused · (cost of one).
 */
function costOfRefusal(one: Loaded, other: Loaded): number {
  const determinant = refusedOf(other) * one.answered - refusedOf(one) * other.answered;
  return ((other.cpuSeconds * one.answered - one.cpuSeconds * other.answered) / determinant) * 1e6;
}

const refusedOf = ({ failures }: LoadResult): number => failures['503'] ?? 0;

/** Twice what the product bears: what is accepted should be as fast as ever, and the rest be refused at little cost. */
export const overloadRow: Row = {
  name: 'overload',
  about: `POST /paywalls at twice the highest rate: latency of what is accepted, share refused, cost of a refusal`,
  async measure(bench) {
    const requests = paywallFetches(bench.stack, await bench.subject());
    bench.say('/paywalls, highest rate:');
    const top = await searchRate({
      job: { ...requests, connections: 256 },
      run: (job) => bench.generator.run(job),
      p99BelowMs,
      startRate: 800,
      stepSeconds: Math.min(5, bench.seconds / 4),
      say: bench.say,
    });
    if (top === null) throw new Error('/paywalls keeps up with no rate that was tried');
    await bench.generator.run({
      ...{ ...requests, connections, rate: times * top.rate },
      ...{ warmUpSeconds: 0, seconds: settlingSeconds },
    });
    const over = await load(bench, requests, times * top.rate);
    const farOver = await load(bench, requests, manyTimes * top.rate);
    const { 503: refused = 0, ...others } = over.failures;
    bench.say(`  ${over.rate}/s: ${over.answeredPerSecond.toFixed(0)}/s accepted, p99 ${over.p99.toFixed(1)} ms`);
    if (Object.keys(others).length > 0) bench.say(`  neither accepted nor refused: ${JSON.stringify(others)}`);
    const about = { row: `/paywalls at ${times} × ${top.rate}/s`, detail: { over, farOver } } as const;
    return [
      { ...about, what: 'accepted, p50', value: over.p50, unit: 'ms', better: 'lower' },
      { ...about, what: 'accepted, p99', value: over.p99, unit: 'ms', better: 'lower' },
      { ...about, what: 'accepted', value: over.answeredPerSecond, unit: '/s', better: 'higher' },
      {
        ...about,
        what: 'refused',
        value: (100 * refused) / (over.answered + failed(over)),
        unit: '%',
        better: 'lower',
      },
      {
        ...about,
        what: 'processor time of a refusal',
        value: costOfRefusal(over, farOver),
        unit: 'µs',
        better: 'lower',
      },
    ] satisfies Figure[];
  },
};
