import type { History, MarkedWrite } from '../../faults/history.ts';
import { notOnce, type Finding } from './finding.ts';
import { countBy, type KnownEvent } from './observation.ts';

/** I1 to I3: what was acknowledged is stored exactly once, what nobody knows at most once, what was refused never. */
export function acknowledgedOnce(history: History, stored: readonly KnownEvent[]): readonly Finding[] {
  const created = countBy(stored.flatMap(({ type, stream }) => (type === 'ProfileCreated' ? [stream] : [])));
  const attributes = countBy(
    stored.flatMap(({ type, body }) => (type === 'CustomAttributeSet' ? [String(body['value'])] : [])),
  );
  const reported = countBy(stored.flatMap(reportedTypes));
  return history.profiles.flatMap((profile) => [
    ...notOnce('I1', `profile ${profile.profileId}`, created.get(profile.profileId)),
    ...profile.attributeWrites.flatMap((write) => unlikeAnswer('attribute', write, attributes)),
    ...profile.eventBatches.flatMap((write) => unlikeAnswer('event batch', write, reported)),
  ]);
}

function unlikeAnswer(
  what: string,
  { marker, outcome }: MarkedWrite,
  counts: ReadonlyMap<string, number>,
): readonly Finding[] {
  const count = counts.get(marker) ?? 0;
  if (outcome === 'acknowledged') return notOnce('I1', `${what} ${marker}`, count);
  if (outcome === 'refused' && count > 0)
    return [{ invariant: 'I3', kind: 'doubled', sentence: `${what} ${marker}: refused, yet stored` }];
  return count <= 1
    ? []
    : [{ invariant: 'I2', kind: 'doubled', sentence: `${what} ${marker}: ${count} times without an answer` }];
}

const reportedTypes = ({ type, body }: KnownEvent): string[] =>
  type === 'EventsReported' ? (body['events'] as { eventType: string }[]).map(({ eventType }) => eventType) : [];
