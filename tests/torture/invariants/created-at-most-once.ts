import type { History } from '../../faults/history.ts';
import type { Finding } from './finding.ts';
import { countBy, type Observation } from './observation.ts';

/** I2, I3: of what was asked for without an answer there is one profile or none, of what was refused none. */
export function createdAtMostOnce(
  { unacknowledgedCreations }: Pick<History, 'unacknowledgedCreations'>,
  { stored, customers }: Pick<Observation, 'stored' | 'customers'>,
): readonly Finding[] {
  const created = countBy(
    stored.flatMap(({ service, type, stream }) => (service === 'profile' && type === 'ProfileCreated' ? [stream] : [])),
  );
  return unacknowledgedCreations.flatMap(({ customerUserId, outcome }): readonly Finding[] => {
    const streams = customers.get(customerUserId) ?? [];
    const count = streams.reduce((sum, stream) => sum + (created.get(stream) ?? 0), 0);
    const what = `profile of ${customerUserId}`;
    if (outcome === 'refused')
      return count === 0 ? [] : [{ invariant: 'I3', kind: 'doubled', sentence: `${what}: refused, yet stored` }];
    return count <= 1
      ? []
      : [{ invariant: 'I2', kind: 'doubled', sentence: `${what}: created ${count} times without an answer` }];
  });
}
