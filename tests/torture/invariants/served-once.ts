import type { History } from '../../faults/history.ts';
import { notOnce, type Finding } from './finding.ts';
import { countBy, type KnownEvent } from './observation.ts';

/** I1, I2: each decision whose token a client holds is stored once and counts; and there are no others. */
export function servedOnce(history: History, stored: readonly KnownEvent[]): readonly Finding[] {
  const decisionOf = ({ body }: KnownEvent) => String(body['decisionId']);
  const served = Map.groupBy(
    stored.filter(({ type }) => type === 'PaywallServed'),
    ({ stream }) => stream,
  );
  const superseded = new Set(stored.filter(({ type }) => type === 'DecisionSuperseded').map(decisionOf));
  return history.profiles.flatMap(({ profileId, decisionIds, unknownFetches }) => {
    const decisions = (served.get(profileId) ?? []).map(decisionOf);
    const counts = countBy(decisions);
    const held = new Set(decisionIds);
    const untold = decisions.filter((id) => !held.has(id) && !superseded.has(id)).length;
    const findings = decisionIds.flatMap((id) => notOnce('I1', `decision ${id}`, counts.get(id)));
    for (const id of decisionIds.filter((each) => superseded.has(each)))
      findings.push({
        invariant: 'I1',
        kind: 'lost',
        sentence: `decision ${id}: its token is out, yet it is superseded`,
      });
    if (untold > unknownFetches) {
      const sentence = `profile ${profileId}: ${untold} decisions that no client was told of`;
      findings.push({ invariant: 'I2', kind: 'doubled', sentence });
    }
    return findings;
  });
}
