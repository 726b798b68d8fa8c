import type { Finding } from './finding.ts';
import { countBy, type KnownEvent } from './observation.ts';

/** I5: the read model has each published event once, and no other. */
export function projectedOnce(published: readonly KnownEvent[], projected: readonly KnownEvent[]): readonly Finding[] {
  const expected = new Set(published.map(({ id }) => id));
  const counts = countBy(projected.map(({ id }) => id));
  const findings: Finding[] = [];
  const note = (kind: Finding['kind'], id: string, what: string) =>
    findings.push({ invariant: 'I5', kind, sentence: `event ${id}: ${what}` });
  for (const id of expected) if (!counts.has(id)) note('lost', id, 'published, not in the read model');
  for (const [id, count] of counts) {
    if (count > 1) note('doubled', id, `${count} times in the read model`);
    if (!expected.has(id)) note('wrong', id, 'in the read model, never published');
  }
  return findings;
}
