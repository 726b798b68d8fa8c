import type { Finding } from './finding.ts';
import { streamOf, type KnownEvent } from './observation.ts';

/** I4: versions are 1..n in each stream. */
export function versionsWithoutGap(stored: readonly KnownEvent[]): readonly Finding[] {
  return [...Map.groupBy(stored, streamOf)].flatMap(([stream, events]): readonly Finding[] => {
    const versions = events.map(({ version }) => version).sort((a, b) => a - b);
    if (versions.every((version, index) => version === index + 1)) return [];
    return [{ invariant: 'I4', kind: 'wrong', sentence: `${stream}: versions ${versions.join()}` }];
  });
}
