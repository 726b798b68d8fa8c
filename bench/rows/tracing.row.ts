import { createServer } from 'node:http';
import type { Figure } from '../figure.ts';
import { Generator } from '../load/generator.ts';
import { failed, type LoadResult } from '../load/load-job.ts';
import { costOfEach, productCpuSeconds } from '../processor-time.ts';
import { onOwnStack } from '../own-stack.ts';
import type { RowAlone } from '../row.ts';
import { createSubject, paywallFetches } from '../subject.ts';

const rate = 300;
const warmUpSeconds = 40;
const seconds = 30;
const userCount = 1_000;

/** Takes traces by OTLP over HTTP, and keeps none. */
async function startCollector() {
  let bytes = 0;
  const server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => (bytes += chunk.length));
    request.on('end', () => response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the collector has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    received: () => bytes,
    [Symbol.dispose]: () => void server.close(),
  };
}

interface Measured extends LoadResult {
  /** Of all programs of the product, in milliseconds a fetch. */
  readonly cost: number;
}

async function fetchPaywalls(env: NodeJS.ProcessEnv): Promise<Measured> {
  return onOwnStack(
    async (stack) => {
      await using generator = new Generator();
      const subject = await createSubject(stack, userCount);
      const requests = { ...paywallFetches(stack, subject), connections: 64, rate, warmUpSeconds: 0 };
      await generator.run({ ...requests, seconds: warmUpSeconds });
      const before = productCpuSeconds(stack);
      const result = await generator.run({ ...requests, seconds });
      const costs = costOfEach(before, productCpuSeconds(stack), result.answered);
      return { ...result, cost: costs.reduce((sum, [, milliseconds]) => sum + milliseconds, 0) };
    },
    { env },
  );
}

/** The same load on two products, one of which tells a collector of every request. */
export const tracingRow: RowAlone = {
  name: 'tracing',
  about: `/paywalls at ${rate}/s with every request traced, beside none`,
  async measure(say) {
    using collector = await startCollector();
    say('  without traces …');
    const without = await fetchPaywalls({ OTEL_EXPORTER_OTLP_ENDPOINT: undefined });
    say('  with every request traced …');
    const traced = await fetchPaywalls({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_TRACES_SAMPLER_ARG: '1',
    });
    if (collector.received() === 0) throw new Error('no trace came');
    const figures = (['p50', 'p99'] as const).flatMap((what) => [
      { row: '/paywalls, no traces', what, value: without[what], unit: 'ms' },
      { row: '/paywalls, all traced', what, value: traced[what], unit: 'ms' },
    ]);
    const costs = [
      { row: '/paywalls, no traces', what: 'processor time of a fetch', value: without.cost, unit: 'ms' },
      { row: '/paywalls, all traced', what: 'processor time of a fetch', value: traced.cost, unit: 'ms' },
    ];
    const detail = { without, traced, failed: failed(without) + failed(traced) };
    return [...figures, ...costs].map((figure): Figure => ({ ...figure, better: 'lower', detail }));
  },
};
