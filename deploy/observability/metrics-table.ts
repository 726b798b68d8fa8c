import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { findProjectRoot } from '../migrate/database-schemas.ts';
import { declaredMetrics, type DeclaredMetric } from './declared-metrics.ts';

const page = join(findProjectRoot(), 'docs', 'observability.md');
const begin = '<!-- metrics: made from the code by npm run observability:write -->';
const end = '<!-- end of metrics -->';

/** Writes the table of metrics in docs/observability.md from the code. */
export async function writeMetricsTable(): Promise<void> {
  writeFileSync(page, await pageWithTable());
}

/** Whether the table is what the code says. */
export async function isMetricsTableFresh(): Promise<boolean> {
  return readFileSync(page, 'utf8') === (await pageWithTable());
}

async function pageWithTable(): Promise<string> {
  const text = readFileSync(page, 'utf8');
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error('docs/observability.md has no place for the table of metrics.');
  const own = declaredMetrics().filter(({ owner }) => owner !== 'node');
  const renewed = `${text.slice(0, from)}${begin}\n\n${table(own)}\n\n${text.slice(to)}`;
  return format(renewed, { parser: 'markdown', singleQuote: true, printWidth: 120 });
}

function table(metrics: readonly DeclaredMetric[]): string {
  const rows = metrics.map(({ name, kind, labels, help, owner }) => {
    const labelled = labels.length > 0 ? labels.map((label) => `\`${label}\``).join(', ') : '–';
    return `| \`${name}\` | ${kind} | ${labelled} | ${help} | ${owner} |`;
  });
  return ['| metric | kind | labels | meaning | measured by |', '|---|---|---|---|---|', ...rows].join('\n');
}
