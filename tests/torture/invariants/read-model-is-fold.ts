import type { History, ProfileHistory } from '../../faults/history.ts';
import type { Finding, Kind } from './finding.ts';
import { countBy, streamOf, withoutRepeats, type KnownEvent, type Observation } from './observation.ts';

/** I5, I8: profiles equal the fold of the log; unique impressions are the distinct (profile, paywall) shown. */
export function readModelIsFold(
  history: History,
  published: readonly KnownEvent[],
  seen: Pick<Observation, 'profiles' | 'uniqueImpressions'>,
): readonly Finding[] {
  const streams = Map.groupBy(published, streamOf);
  const shown = Map.groupBy(seen.uniqueImpressions, (key) => key.split('/')[0] ?? '');
  return history.profiles.flatMap((profile) => {
    const events = withoutRepeats(streams.get(`profile/${profile.profileId}`) ?? []);
    const row = seen.profiles.get(profile.profileId);
    return [...unlikeLog(profile, events, row), ...unlikeShown(profile, shown.get(profile.profileId) ?? [])];
  });
}

type ProfileRow = Observation['profiles'] extends ReadonlyMap<string, infer Row> ? Row : never;

function unlikeLog(
  { profileId }: ProfileHistory,
  events: readonly KnownEvent[],
  row: ProfileRow | undefined,
): readonly Finding[] {
  const step = events.findLast(({ type }) => type === 'CustomAttributeSet')?.body['value'];
  const findings: Finding[] = [];
  const note = (sentence: string) => findings.push({ invariant: 'I5', kind: row ? 'wrong' : 'lost', sentence });
  if (row?.version !== events.length) note(`profile ${profileId}: row at ${row?.version}, log at ${events.length}`);
  if (row?.custom.find(({ key }) => key === 'step')?.value !== step)
    note(`profile ${profileId}: attribute is not the log's`);
  return findings;
}

function unlikeShown(
  { profileId, shownPaywallIds, perhapsShownPaywallIds }: ProfileHistory,
  impressions: readonly string[],
): readonly Finding[] {
  const counts = countBy(impressions);
  const findings: Finding[] = [];
  const note = (kind: Kind, what: string) =>
    findings.push({ invariant: 'I8', kind, sentence: `profile ${profileId}: ${what}` });
  for (const paywallId of shownPaywallIds) {
    const count = counts.get(`${profileId}/${paywallId}`) ?? 0;
    if (count !== 1) note(count === 0 ? 'lost' : 'doubled', `paywall ${paywallId} shown, not counted once`);
  }
  const mayBeShown = new Set([...shownPaywallIds.union(perhapsShownPaywallIds)].map((id) => `${profileId}/${id}`));
  for (const impression of new Set(impressions).difference(mayBeShown))
    note('doubled', `${impression} is counted, and was never shown`);
  return findings;
}
