import { columns } from '../../replay/report.ts';
import type { Comparison } from '../driver/compare-all.ts';
import type { YearCounts } from '../driver/play-year.ts';

const explained = 10;

/** A line a checkpoint, and the first profiles that differ with all that does. */
export function comparisonTable(comparisons: readonly Comparison[]): string {
  const heading = ['day', 'profiles', 'ledger rows', 'differ', 'settled after', ''];
  const lines = comparisons.map(({ day, profiles, ledgerRows, differences, settledAfterMs }) => [
    ...[day, profiles, ledgerRows, differences.length, `${(settledAfterMs / 1000).toFixed(1)} s`],
    differences.length === 0 ? 'agree' : 'DIFFER',
  ]);
  const differing = comparisons.flatMap(({ day, differences }) => differences.map((one) => ({ day, ...one })));
  return [
    columns([heading, ...lines]),
    ...differing
      .slice(0, explained)
      .flatMap(({ day, who, profileId, what }) => [
        `\n  day ${day}, ${who}, profile ${profileId}`,
        ...what.map((sentence) => `    ${sentence}`),
      ]),
    ...(differing.length > explained ? [`\n  … and ${differing.length - explained} more`] : []),
  ].join('\n');
}

export function countsTable({ deeds, putOff, disturbedNotifications, shutDays }: YearCounts): string {
  return columns([
    ['deeds', 'put off by a shut store', 'days with a shut store', 'disturbed notifications'],
    [deeds, putOff, shutDays, disturbedNotifications],
  ]);
}
