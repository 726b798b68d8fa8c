import { randomUUID } from 'node:crypto';
import {
  CustomAttributeSet,
  EventsReported,
  PaywallServed,
  ProfileCreated,
  type DomainEvent,
  type RecordedEvent,
} from '@paywright/contracts';
import type { Service } from '@paywright/messaging';

export interface ServiceEvent {
  readonly service: Service;
  readonly event: RecordedEvent;
}

/** What a user's first session leaves behind: a profile with two attributes, four paywalls, three batches. */
export const eventsPerUser = 10;

/** The first app of a product. */
export const appId = 1;
const device = { country: 'US', device: 'iPhone17,1', os: 'iOS 26.0', platform: 'ios', locale: 'en-US' } as const;
const nothing = {
  storeCountry: null,
  currency: null,
  osVersion: null,
  appVersion: null,
  appBuild: null,
  timezone: null,
};
const candidates = ['calm', 'bold'].map((paywall, index) => ({
  ...{ paywall, paywallId: index + 1, externalId: paywall, score: 0, probability: 0.5 },
}));

function served(profileId: string, time: number, index: number) {
  const chosen = candidates[index % 2]!;
  return PaywallServed.of({
    ...{ appId, profileId, decisionId: randomUUID(), placementId: 'onboarding', catalogRevision: 1 },
    ...{ paywall: chosen.paywall, paywallId: chosen.paywallId, externalId: chosen.externalId },
    ...{ isExperiment: true, aiPricingModelId: 1, abTestId: null, target: 'ai_model', modelVersion: 'uniform-1' },
    path: [{ placementId: 'onboarding', target: 'ai_model', weight: 100 }],
    ...{
      candidates,
      probability: 0.5,
      seed: randomUUID(),
      latencyMs: 3,
      stickyTo: null,
      stickyUntil: null,
      fallback: null,
    },
    context: {
      ...{ ...device, ...nothing, attributionSource: null, store: null, profileCreatedAt: time },
      custom: { goal: 'sleep', source: 'ad-7' },
    },
  });
}

function reported(profileId: string, decision: ReturnType<typeof served>, isFirst: boolean) {
  const { decisionId, paywallId, placementId, aiPricingModelId } = decision.body;
  const event = {
    decisionId,
    paywallId,
    placementId,
    aiPricingModelId,
    abTestId: null,
    isExperiment: true,
    foreignToken: false,
  };
  return EventsReported.of({
    appId,
    profileId,
    events: [
      { ...event, eventId: randomUUID(), eventType: 'paywall_shown', uniqueImpression: isFirst },
      { ...event, eventId: randomUUID(), eventType: 'button_tapped', uniqueImpression: false },
    ],
  });
}

/** One user's events, in the order of each service's stream. @param time milliseconds since the epoch */
export function sessionOf(time: number): ServiceEvent[] {
  const profileId = randomUUID();
  const decisions = [0, 1, 2, 3].map((index) => served(profileId, time, index));
  const attribute = (key: string) =>
    CustomAttributeSet.of({ appId, profileId, attributeId: randomUUID(), key, value: `${key}-value` });
  const streams: readonly [Service, readonly DomainEvent[]][] = [
    [
      'profile',
      [
        ProfileCreated.of({ appId, profileId, fields: device, personal: false }),
        attribute('goal'),
        attribute('source'),
      ],
    ],
    ['selection', decisions],
    ['impression', decisions.slice(0, 3).map((decision, index) => reported(profileId, decision, index < 2))],
  ];
  return streams.flatMap(([service, events]) =>
    events.map((event, index) => ({ service, event: recorded(profileId, event, index + 1, time) })),
  );
}

function recorded(stream: string, event: DomainEvent, streamVersion: number, time: number): RecordedEvent {
  const causationId = randomUUID();
  return { ...event, id: randomUUID(), stream, streamVersion, time, correlationId: causationId, causationId };
}
