import { agrees, type Comparison } from './facts.ts';
import type { ReplayClient } from './replay-client.ts';

/** Lines of equally wide columns; the first line is the heading. */
export function columns(lines: readonly (readonly (string | number)[])[]): string {
  const texts = lines.map((line) => line.map(String));
  const widths = texts[0]!.map((_, column) => Math.max(...texts.map((line) => line[column]!.length)));
  return texts
    .map(
      (line) =>
        `  ${line
          .map((cell, column) => cell.padEnd(widths[column]!))
          .join('  ')
          .trimEnd()}`,
    )
    .join('\n');
}

const examples = 3;

/** A line a kind and place, and the first few facts that differ. */
export function comparisonTable(places: ReadonlyMap<string, readonly Comparison[]>): string {
  const heading = ['place', 'what', 'acknowledged', 'found', 'missing', 'too many', ''];
  const lines = [...places].flatMap(([place, comparisons]) =>
    comparisons.map((comparison) => [
      ...[place, comparison.kind, comparison.acknowledged, comparison.found],
      ...[comparison.missing.length, comparison.surplus.length, agrees(comparison) ? 'agree' : 'DIFFER'],
    ]),
  );
  const differing = [...places].flatMap(([place, comparisons]) =>
    comparisons.flatMap(({ kind, missing, surplus }) => [
      ...missing.slice(0, examples).map((fact) => `  ${place}, ${kind}, missing: ${fact}`),
      ...surplus.slice(0, examples).map((fact) => `  ${place}, ${kind}, too many: ${fact}`),
    ]),
  );
  return [columns([heading, ...lines]), ...differing].join('\n');
}

export function latencyTable({ latencies }: ReplayClient): string {
  const heading = ['call', 'answers', 'p50 ms', 'p95 ms', 'p99 ms', 'max ms'];
  const lines = [...latencies].map(([name, histogram]) => {
    const at = (percentile: number): string => (histogram.getValueAtPercentile(percentile) / 1000).toFixed(1);
    return [name, histogram.totalCount, at(50), at(95), at(99), (histogram.maxValue / 1000).toFixed(1)];
  });
  return columns([heading, ...lines]);
}
