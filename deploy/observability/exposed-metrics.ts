import { declaredMetrics, type DeclaredMetric } from './declared-metrics.ts';

/** Labels that every series has: the services set the first, Prometheus the others. */
const everywhere = ['service', 'job', 'instance'];

/**
 * The series that a scrape of all services has, by name, each with the names of its labels.
 */
export function exposedMetrics(): ReadonlyMap<string, ReadonlySet<string>> {
  const series = declaredMetrics().flatMap(seriesOf);
  return new Map([
    ['up', new Set(everywhere)],
    ...series.map(([name, labels]) => [name, new Set([...labels, ...everywhere])] as const),
  ]);
}

type Series = readonly [name: string, labels: readonly string[]];

function seriesOf({ name, kind, labels }: DeclaredMetric): Series[] {
  if (kind !== 'histogram') return [[name, labels]];
  return [
    [`${name}_bucket`, [...labels, 'le']],
    [`${name}_sum`, labels],
    [`${name}_count`, labels],
  ];
}
