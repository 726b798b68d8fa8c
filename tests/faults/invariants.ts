import type { History, MarkedWrite } from './history.ts';

/** An event as a store, a topic record, or a row of the read model holds it. */
export interface KnownEvent {
  readonly id: string;
  readonly service: string;
  readonly stream: string;
  readonly version: number;
  readonly type: string;
  readonly body: Record<string, unknown>;
}

/** Everything that can be seen of the product from outside, once it is at rest. */
export interface Observation {
  /** The write services' event tables. */
  readonly stored: readonly KnownEvent[];
  /** The events topics, every record, in the order of their partitions. */
  readonly published: readonly KnownEvent[];
  /** The read model's events about profiles. */
  readonly projected: readonly KnownEvent[];
  readonly profiles: ReadonlyMap<string, { version: number; custom: readonly { key: string; value: string }[] }>;
  /** `profileId/paywallId`. */
  readonly uniqueImpressions: readonly string[];
}

/** What of the invariants does not hold, a sentence each. The numbers are those of docs/correctness.md. */
export function violations(history: History, seen: Observation): readonly string[] {
  const ours = new Set(history.profiles.map(({ profileId }) => profileId));
  const only = (events: readonly KnownEvent[]) => events.filter(({ stream }) => ours.has(stream));
  const stored = only(seen.stored);
  const published = only(seen.published);
  const projected = only(seen.projected);
  return [
    ...effectsOnce(history, stored),
    ...versionsWithoutGap(stored),
    ...publishedInOrder(stored, published),
    ...projectedOnce(published, projected),
    ...readModelIsFold(history, published, seen),
  ];
}

/** I1 to I3: acknowledged exactly once, unknown at most once, refused never. */
function effectsOnce(history: History, stored: readonly KnownEvent[]): string[] {
  const created = countBy(stored.filter(({ type }) => type === 'ProfileCreated').map(({ stream }) => stream));
  const attributes = countBy(
    stored.flatMap(({ type, body }) => (type === 'CustomAttributeSet' ? [String(body['value'])] : [])),
  );
  const reported = countBy(stored.flatMap(reportedTypes));
  const served = stored.filter(({ type }) => type === 'PaywallServed');
  const decisions = countBy(served.map(({ body }) => String(body['decisionId'])));
  const superseded = new Set(
    stored.flatMap(({ type, body }) => (type === 'DecisionSuperseded' ? [String(body['decisionId'])] : [])),
  );
  return history.profiles.flatMap((profile) => {
    const held = new Set(profile.decisionIds);
    const unclaimed = served.filter(
      ({ stream, body }) =>
        stream === profile.profileId &&
        !held.has(String(body['decisionId'])) &&
        !superseded.has(String(body['decisionId'])),
    );
    return [
      ...expectOnce(`I1 profile ${profile.profileId}`, created.get(profile.profileId)),
      ...profile.attributeWrites.flatMap((write) => expectEffect('attribute', write, attributes)),
      ...profile.eventBatches.flatMap((write) => expectEffect('event batch', write, reported)),
      ...profile.decisionIds.flatMap((id) => expectOnce(`I1 decision ${id}`, decisions.get(id))),
      ...profile.decisionIds
        .filter((id) => superseded.has(id))
        .map((id) => `I1 decision ${id}: its token is out, yet it is superseded`),
      ...(unclaimed.length > profile.unknownFetches
        ? [`I2 profile ${profile.profileId}: ${unclaimed.length} decisions that no client was told of`]
        : []),
    ];
  });
}

function expectEffect(what: string, { marker, outcome }: MarkedWrite, counts: ReadonlyMap<string, number>): string[] {
  const count = counts.get(marker) ?? 0;
  if (outcome === 'acknowledged') return expectOnce(`I1 ${what} ${marker}`, count);
  if (outcome === 'unknown') return count <= 1 ? [] : [`I2 ${what} ${marker}: ${count} times without an answer`];
  return count === 0 ? [] : [`I3 ${what} ${marker}: refused, yet stored`];
}

const expectOnce = (what: string, count = 0): string[] =>
  count === 1 ? [] : [`${what}: acknowledged, stored ${count} times`];

/** I4: versions are 1..n in each stream. */
function versionsWithoutGap(stored: readonly KnownEvent[]): string[] {
  return [...Map.groupBy(stored, streamOf)].flatMap(([stream, events]) => {
    const versions = events.map(({ version }) => version).sort((a, b) => a - b);
    return versions.every((version, index) => version === index + 1)
      ? []
      : [`I4 ${stream}: versions ${versions.join()}`];
  });
}

/** I1, I4: every stored event is in its topic, and there in stream order once repeats are dropped. */
function publishedInOrder(stored: readonly KnownEvent[], published: readonly KnownEvent[]): string[] {
  const streams = Map.groupBy(published, streamOf);
  return [...Map.groupBy(stored, streamOf)].flatMap(([stream, events]) => {
    const first = withoutRepeats(streams.get(stream) ?? []);
    const ids = new Map(events.map(({ id, version }) => [version, id]));
    if (first.length !== events.length)
      return [`I1 ${stream}: ${events.length} events stored, ${first.length} published`];
    return first.every(({ version, id }, index) => version === index + 1 && ids.get(version) === id)
      ? []
      : [`I4 ${stream}: published as ${first.map(({ version }) => version).join()}`];
  });
}

/** I5: the read model has each published event once. */
function projectedOnce(published: readonly KnownEvent[], projected: readonly KnownEvent[]): string[] {
  const expected = new Set(published.map(({ id }) => id));
  const counts = countBy(projected.map(({ id }) => id));
  return [
    ...[...expected].filter((id) => !counts.has(id)).map((id) => `I5 event ${id}: published, not in the read model`),
    ...[...counts]
      .filter(([, count]) => count > 1)
      .map(([id, count]) => `I5 event ${id}: ${count} times in the read model`),
    ...[...counts.keys()]
      .filter((id) => !expected.has(id))
      .map((id) => `I5 event ${id}: in the read model, never published`),
  ];
}

/** I5, I8: profiles equal the fold of the log; unique impressions are the distinct (profile, paywall) shown. */
function readModelIsFold(history: History, published: readonly KnownEvent[], seen: Observation): string[] {
  const streams = Map.groupBy(published, streamOf);
  const impressions = countBy(seen.uniqueImpressions);
  return history.profiles.flatMap(({ profileId, shownPaywallIds, perhapsShownPaywallIds }) => {
    const events = withoutRepeats(streams.get(`profile/${profileId}`) ?? []);
    const step = events.findLast(({ type }) => type === 'CustomAttributeSet')?.body['value'];
    const row = seen.profiles.get(profileId);
    const faults: string[] = [];
    if (row?.version !== events.length)
      faults.push(`I5 profile ${profileId}: row at ${row?.version}, log at ${events.length}`);
    if (row?.custom.find(({ key }) => key === 'step')?.value !== step)
      faults.push(`I5 profile ${profileId}: attribute is not the log's`);
    for (const paywallId of shownPaywallIds)
      if (impressions.get(`${profileId}/${paywallId}`) !== 1)
        faults.push(`I8 profile ${profileId}: paywall ${paywallId} shown, not counted once`);
    const counted = seen.uniqueImpressions.filter((key) => key.startsWith(`${profileId}/`)).length;
    if (counted > shownPaywallIds.union(perhapsShownPaywallIds).size)
      faults.push(`I8 profile ${profileId}: ${counted} unique impressions`);
    return faults;
  });
}

const streamOf = ({ service, stream }: KnownEvent) => `${service}/${stream}`;

/** The events in log order, without those that are not newer than one before. */
function withoutRepeats(events: readonly KnownEvent[]): KnownEvent[] {
  let newest = 0;
  return events.filter(({ version }) => version > newest && (newest = version) > 0);
}

const reportedTypes = ({ type, body }: KnownEvent): string[] =>
  type === 'EventsReported' ? (body['events'] as { eventType: string }[]).map(({ eventType }) => eventType) : [];

function countBy(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
