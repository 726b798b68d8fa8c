import { topics, type EventTopic } from '@paywright/contracts';
import { createKafka, decodeEvent, readTopic, type ReceivedEvent } from '@paywright/messaging';
import { createLogger } from '@paywright/platform';
import { decisionFact, eventFact, impressionFact, profileFact, type Facts } from './facts.ts';

export interface TopicFacts {
  readonly facts: Required<Facts>;
  /** Records that repeat an event: allowed, since delivery is at least once, and dropped by every reader. */
  readonly repeats: number;
  /** Events that came before an older one of their stream: never allowed. */
  readonly outOfOrder: number;
}

const read: readonly EventTopic[] = [topics.profileEvents, topics.selectionEvents, topics.impressionEvents];

/** Everything that the events topics hold of an app, as an analyst would read them: each event once, in order. */
async function readEvents(brokers: string, appId: number) {
  const logger = createLogger({ service: 'replay', level: 'error' });
  const kafka = createKafka({ brokers: brokers.split(','), ssl: false, sasl: null, clientId: 'replay', logger });
  const events = new Map<string, ReceivedEvent>();
  const versions = new Map<string, number>();
  let [repeats, outOfOrder] = [0, 0];
  for (const topic of read) {
    await readTopic(kafka, topic, (message) => {
      const event = decodeEvent(message);
      if (event.body.appId !== appId) return;
      if (events.has(event.id)) return void repeats++;
      const stream = `${topic} ${event.stream}`;
      if (event.streamVersion !== (versions.get(stream) ?? 0) + 1) outOfOrder++;
      versions.set(stream, event.streamVersion);
      events.set(event.id, event);
    });
  }
  return { events: [...events.values()], repeats, outOfOrder };
}

function profileFacts(events: readonly ReceivedEvent[]): string[] {
  const attributes = new Map<string, Record<string, string>>();
  const created: string[] = [];
  for (const event of events) {
    if (event.type === 'ProfileCreated') created.push(event.stream);
    if (event.type !== 'CustomAttributeSet') continue;
    attributes.set(event.stream, { ...attributes.get(event.stream), [event.body.key]: event.body.value });
  }
  return created.map((profileId) => profileFact(profileId, attributes.get(profileId) ?? {}));
}

/** What an app's events say. A decision that another one superseded was given to nobody. */
export async function topicFacts(brokers: string, appId: number): Promise<TopicFacts> {
  const { events, repeats, outOfOrder } = await readEvents(brokers, appId);
  const superseded = new Set(
    events.flatMap((event) => (event.type === 'DecisionSuperseded' ? [event.body.decisionId] : [])),
  );
  const served = events.flatMap((event) =>
    event.type === 'PaywallServed' && !superseded.has(event.body.decisionId) ? [event.body] : [],
  );
  const byDecision = new Map(served.map((decision) => [decision.decisionId, decision]));
  const reported = events.flatMap(({ type, body }) =>
    type === 'EventsReported' ? body.events.map((event) => ({ ...event, profileId: body.profileId })) : [],
  );
  const views = reported.filter(({ eventType }) => eventType === 'paywall_shown');
  const facts = {
    profiles: profileFacts(events),
    decisions: served.map((decision) => decisionFact(decision.profileId, decision)),
    'views and clicks': reported.map((event) => eventFact(event.profileId, event)),
    'views of their decision': views.flatMap(({ decisionId, profileId }) => {
      const decision = decisionId === null ? undefined : byDecision.get(decisionId);
      if (decisionId !== null) byDecision.delete(decisionId); // the next view of it belongs to none
      return decision?.profileId === profileId ? [decisionFact(profileId, decision)] : [];
    }),
    'unique impressions': reported
      .filter(({ uniqueImpression }) => uniqueImpression)
      .map(({ profileId, paywallId }) => impressionFact(profileId, paywallId)),
  };
  return { facts, repeats, outOfOrder };
}
