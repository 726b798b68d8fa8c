import type { Figure } from './figure.ts';
import { failed, type LoadResult } from './load/load-job.ts';

type Bounds = Readonly<Partial<Record<'p50' | 'p99', Pick<Figure, 'must' | 'aim'>>>>;

/** What a fetch of a paywall is held to, whatever is done beside it. */
export const fetchBounds: Bounds = { p50: { must: 8, aim: 4 }, p99: { must: 30, aim: 15 } };

export const latencyFigures = (row: string, result: LoadResult, bounds: Bounds = {}): readonly Figure[] =>
  (['p50', 'p99'] as const).map((which) => ({
    row,
    what: `at ${result.rate}/s, ${which}`,
    value: result[which],
    unit: 'ms',
    better: 'lower',
    ...bounds[which],
    detail: { ...result, failed: failed(result) },
  }));
