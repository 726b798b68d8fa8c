import { createServer } from 'node:http';
import type { Figure } from '../figure.ts';
import { Generator } from '../load/generator.ts';
import { fetchBounds, latencyFigures } from '../latency-figures.ts';
import type { LoadResult } from '../load/load-job.ts';
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

interface Side {
  readonly name: string;
  /** As the services take it: none is the shipped share, one of a hundred. */
  readonly sampled?: string;
  readonly isTraced: boolean;
  readonly bounds?: typeof fetchBounds;
}

const sides: readonly Side[] = [
  { name: 'no traces', isTraced: false },
  // What a fetch is held to holds with tracing on as well.
  { name: 'traced as shipped', isTraced: true, bounds: fetchBounds },
  { name: 'all traced', isTraced: true, sampled: '1' },
];

function figuresOf({ name, bounds }: Side, result: Measured): readonly Figure[] {
  const row = `/paywalls, ${name}`;
  const cost = { what: 'processor time of a fetch', value: result.cost, unit: 'ms', better: 'lower' } as const;
  return [...latencyFigures(row, result, bounds), { row, ...cost }];
}

/** The same load on three products: one tells a collector of no request, one of the shipped share, one of every one. */
export const tracingRow: RowAlone = {
  name: 'tracing',
  about: `/paywalls at ${rate}/s with the shipped share of requests traced, and with all, beside none`,
  async measure(say) {
    using collector = await startCollector();
    const figures: Figure[] = [];
    for (const side of sides) {
      say(`  ${side.name} …`);
      const before = collector.received();
      const result = await fetchPaywalls({
        OTEL_EXPORTER_OTLP_ENDPOINT: side.isTraced ? collector.url : undefined,
        OTEL_TRACES_SAMPLER_ARG: side.sampled,
      });
      if (side.isTraced && collector.received() === before) throw new Error('no trace came');
      figures.push(...figuresOf(side, result));
    }
    return figures;
  },
};
