import { uniform } from '@paywright/selection-engine';
import type { History } from '../../faults/history.ts';
import { adminToken } from '../../stack/stack.ts';
import type { Finding } from './finding.ts';

const sampled = 100;

/** Decided again from its record, a decision comes out the same. Asked of a hundred that the seed picks. */
export async function decisionsReplay(history: History, gateway: string, seed: string): Promise<readonly Finding[]> {
  const ids = history.profiles.flatMap(({ decisionIds }) => decisionIds);
  const picked = ids.filter((_, index) => uniform(seed, `replay/${index}`) < sampled / ids.length);
  const findings: Finding[] = [];
  for (const id of picked) {
    const url = `${gateway}/admin/v1/apps/${history.appId}/decisions/${id}/replay`;
    const answer = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${adminToken}` } });
    const { data } = (await answer.json()) as { data?: { same: boolean } };
    if (data?.same === true) continue;
    const how = data ? 'comes out otherwise when it is decided again' : `is not found again: ${answer.status}`;
    findings.push({ invariant: 'I14', kind: data ? 'wrong' : 'lost', sentence: `decision ${id} ${how}` });
  }
  return findings;
}
