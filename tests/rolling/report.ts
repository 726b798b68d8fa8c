import { columns } from '../replay/report.ts';
import type { Exchange } from './client.ts';
import type { RollingOutcome } from './roll-under-load.ts';

/** Answered with what was asked for. */
const succeeded = ({ status }: Exchange): boolean => typeof status === 'number' && status < 300;

export const failuresOf = ({ exchanges }: RollingOutcome): readonly Exchange[] =>
  exchanges.filter((exchange) => !succeeded(exchange));

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

/** A line a route, and what was unavailable, failed or lost. */
export function reportOf(outcome: RollingOutcome): string {
  const { rolledForthMs, rolledBackMs, findings } = outcome;
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  const routes = [...Map.groupBy(outcome.exchanges, ({ path }) => path)].map(([path, exchanges]) => {
    const latencies = exchanges.map(({ dueAt, answeredAt }) => answeredAt - dueAt).sort((a, b) => a - b);
    const counts = [exchanges.length, exchanges.filter((each) => !succeeded(each)).length, repeatsOf(exchanges)];
    return [
      path,
      ...counts.map(String),
      ...[0.5, 0.99, 1].map((share) => `${Math.round(percentile(latencies, share))} ms`),
    ];
  });
  const failed = failuresOf(outcome).map(
    ({ path, status, dueAt }) => `  FAILED ${path}: ${status}, due at ${Math.round(dueAt)} ms`,
  );
  return [
    columns([['route', 'asked', 'failed', 'repeated', 'p50', 'p99', 'longest'], ...routes]),
    `  there ${seconds(rolledForthMs)}, back ${seconds(rolledBackMs)}, unavailable ${seconds(outcome.unavailableMs)}`,
    ...failed,
    ...findings.map((finding) => `  BROKEN ${finding}`),
  ].join('\n');
}

const repeatsOf = (exchanges: readonly Exchange[]): number => exchanges.reduce((sum, { repeats }) => sum + repeats, 0);
