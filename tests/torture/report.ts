import { columns } from '../replay/report.ts';
import type { Finding, Kind } from './invariants/finding.ts';
import type { Nemesis, Strike } from './nemesis.ts';
import { notDone } from './nemeses.ts';
import type { Outcome } from './torture.ts';

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
const milliseconds = (ms: number | null) => (ms === null ? '—' : `${Math.round(ms)} ms`);
const barWidth = 20;

/** `[####------]  3 of 8  kill-service profile` */
export function progressLine({ nemesis, target, atMs }: Strike, index: number, count: number): string {
  const done = Math.round((barWidth * index) / count);
  const bar = `[${'#'.repeat(done)}${'-'.repeat(barWidth - done)}]`;
  return `  ${bar} ${index + 1} of ${count}  at ${seconds(atMs)}  ${nemesis} ${target}`.trimEnd();
}

/** A line a strike, what could not be done, the sums, and what is broken with where to look. */
export function reportOf(seed: string, outcome: Outcome, lacking: readonly (readonly [Nemesis, string])[]): string {
  return [strikesTable(outcome), notDoneLines(lacking), sums(seed, outcome), brokenLines(outcome.findings)].join(
    '\n\n',
  );
}

function strikesTable({ struck }: Outcome): string {
  const lines = struck.map(({ nemesis, target, beganMs, mendedMs, unavailableMs }) => [
    ...[seconds(beganMs), nemesis, target, seconds(mendedMs - beganMs), seconds(unavailableMs)],
  ]);
  return columns([['at', 'fault', 'whom', 'mended after', 'unavailable'], ...lines]);
}

function notDoneLines(lacking: readonly (readonly [Nemesis, string])[]): string {
  const here = lacking.map(([{ fault, name }, what]) => `  not done: ${fault} ${name} (needs ${what})`);
  return [...here, ...notDone.map(({ fault, what, why }) => `  not done: ${fault} ${what} (${why})`)].join('\n');
}

function sums(seed: string, outcome: Outcome): string {
  const { struck, acknowledged, statuses, unavailableMs, rebuilt, mostMemory, p99Ms, findings } = outcome;
  const count = (kind: Kind) => findings.filter((finding) => finding.kind === kind).length;
  const answers = [...statuses].sort(([a], [b]) => String(a).localeCompare(String(b)));
  return columns([
    ['seed', seed],
    ['faults', struck.length],
    ['acknowledged', acknowledged],
    ['lost', count('lost')],
    ['doubled', count('doubled')],
    ['otherwise wrong', count('wrong')],
    ['unavailable', seconds(unavailableMs)],
    ['rebuilt', rebuilt ? `${rebuilt.rows} rows of ${rebuilt.tables} tables in ${seconds(rebuilt.tookMs)}` : 'no'],
    [
      'most memory',
      [...mostMemory].map(([service, bytes]) => `${service} ${Math.round(bytes / 2 ** 20)} MiB`).join(', '),
    ],
    ['p99 of a paywall', `${milliseconds(p99Ms.poisoned)} beside poison, ${milliseconds(p99Ms.otherwise)} otherwise`],
    ['answers', answers.map(([status, times]) => `${times} × ${status}`).join(', ')],
  ]);
}

const shown = 20;

function brokenLines(findings: readonly Finding[]): string {
  if (findings.length === 0) return '  Every invariant holds.';
  const lines = findings.slice(0, shown).map(({ invariant, sentence }) => `  ${invariant}  ${sentence}`);
  const more = findings.length > shown ? [`  … and ${findings.length - shown} more`] : [];
  return ['  BROKEN (docs/faults.md says what each number promises):', ...lines, ...more].join('\n');
}
