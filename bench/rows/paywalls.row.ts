import { createScratchDatabase } from '@paywright/deploy/migrate/scratch-database.ts';
import { countFallbacks } from '../fallbacks.ts';
import type { Figure } from '../figure.ts';
import { fetchBounds, latencyFigures } from '../latency-figures.ts';
import type { LoadJob, LoadResult } from '../load/load-job.ts';
import { searchRate } from '../load/search-rate.ts';
import { installPeers, peerFile, startProcess } from '../peer-process.ts';
import type { Bench, Row } from '../row.ts';
import { paywallFetches } from '../subject.ts';

type Requests = Omit<LoadJob, 'rate' | 'seconds' | 'warmUpSeconds'>;

const rate = 300;
const p99BelowMs = 100;

/** Until the compilers of seven programs have seen their code run: p50 falls by half over the first 30 s. */
const warmUpSeconds = 40;

const steady = (bench: Bench, requests: Requests): Promise<LoadResult> =>
  bench.generator.run({ ...requests, rate, warmUpSeconds, seconds: bench.seconds });

const highest = (bench: Bench, requests: Requests, startRate: number): Promise<LoadResult | null> =>
  searchRate({
    job: { ...requests, connections: 256 },
    run: (job) => bench.generator.run(job),
    p99BelowMs,
    startRate,
    stepSeconds: Math.min(10, bench.seconds),
    say: bench.say,
  });

async function measureUnleash(bench: Bench) {
  installPeers(bench.say);
  await using database = await createScratchDatabase(bench.stack.database);
  const env = { PEER_DATABASE_URL: database.url, PEER_PORT: '14242' };
  await using unleash = await startProcess<{ url: string; path: string; authorization: string }>(
    peerFile('unleash.mjs'),
    env,
  );
  const { url, path, authorization } = unleash.said;
  const requests = { url, method: 'GET', path, headers: { authorization }, bodies: [''], connections: 64 };
  bench.say('unleash-server, which records nothing:');
  return { steady: await steady(bench, requests), highest: await highest(bench, requests, 1_000) };
}

/** A paywall for a known profile, each a recorded decision; beside it Unleash's answer for one flag. */
export const paywallsRow: Row = {
  name: 'paywalls',
  about: 'POST /paywalls: latency at 300/s and the highest rate, beside unleash-server',
  async measure(bench) {
    const subject = await bench.subject();
    const requests = { ...paywallFetches(bench.stack, subject), connections: 64 };
    const begun = new Date();
    const ours = await steady(bench, requests);
    bench.say('/paywalls, highest rate:');
    const top = await highest(bench, requests, 400);
    const fellBack = await countFallbacks(bench.stack.database, subject.appId, begun);
    if (fellBack > 0) bench.say(`  ${fellBack} requests were answered by a fallback`);
    const unleash = await measureUnleash(bench);
    const figures = [
      ...latencyFigures('/paywalls', ours, fetchBounds),
      {
        row: '/paywalls',
        what: `highest rate with p99 < ${p99BelowMs} ms`,
        value: top?.rate ?? 0,
        unit: '/s',
        better: 'higher',
        must: 1_500,
        aim: 3_500,
        detail: { ...top, fellBack },
      },
      ...latencyFigures('unleash-server', unleash.steady),
      {
        row: 'unleash-server',
        what: `highest rate with p99 < ${p99BelowMs} ms`,
        value: unleash.highest?.rate ?? 0,
        unit: '/s',
        better: 'higher',
        detail: { ...unleash.highest },
      },
    ] as const satisfies Figure[];
    const share: Figure = {
      row: '/paywalls',
      what: 'highest rate as a share of Unleash’s',
      value: (top?.rate ?? 0) / (unleash.highest?.rate ?? Infinity),
      unit: '',
      better: 'higher',
      aim: 0.6,
    };
    return [...figures, share];
  },
};
