import {
  CustomAttributeSet,
  DecisionSuperseded,
  EventsReported,
  PaywallServed,
  ProfileCreated,
  ProfileUpdated,
  topics,
  type DomainEvent,
  type PersonalRecord,
  type ProfileFieldChanges,
  type RecordedEvent,
} from '@paywright/contracts';
import { toCloudEvent, type OutgoingMessage, type ReceivedMessage, type Service } from '@paywright/messaging';
import { derivedId } from '@paywright/platform';

export const appId = 7;
export const profileA = '0a000000-0000-4000-8000-00000000000a';
export const profileB = '0b000000-0000-4000-8000-00000000000b';
export const profileC = '0c000000-0000-4000-8000-00000000000c';

const startedAt = Date.UTC(2026, 0, 1);

/** An event in its stream: ids and times are functions of its place. */
export const recorded = (stream: string, streamVersion: number, event: DomainEvent): RecordedEvent => ({
  id: derivedId(`${stream}/${event.type}/${streamVersion}`),
  stream,
  streamVersion,
  time: startedAt + streamVersion * 1_000,
  correlationId: derivedId('correlation'),
  causationId: derivedId('causation'),
  ...event,
});

export const eventRecord = (service: Service, stream: string, version: number, event: DomainEvent): OutgoingMessage =>
  toCloudEvent(service, recorded(stream, version, event), stream);

export const personalRecord = (profileId: string, record: PersonalRecord | null): OutgoingMessage => ({
  topic: topics.profilePersonal,
  key: profileId,
  headers: {},
  value: record && JSON.stringify(record),
});

/** Records of one topic as they come from partition 0, from the offset on. */
export const received = (records: readonly OutgoingMessage[], firstOffset = 0): ReceivedMessage[] =>
  records.map(({ topic, key, headers, value }, index) => ({
    topic,
    partition: 0,
    offset: String(firstOffset + index),
    key: key ?? null,
    headers,
    value: typeof value === 'string' ? Buffer.from(value) : value,
    timestamp: startedAt,
  }));

export const created = (profileId: string, fields: ProfileCreated['body']['fields'] = {}) =>
  ProfileCreated.of({ appId, profileId, fields, personal: false });

export const updated = (profileId: string, changes: ProfileFieldChanges) =>
  ProfileUpdated.of({ appId, profileId, changes, personal: false });

export const attributeSet = (profileId: string, key: string, value: string) =>
  CustomAttributeSet.of({ appId, profileId, attributeId: derivedId(key), key, value });

export const superseded = (profileId: string, decisionId: string) =>
  DecisionSuperseded.of({ appId, profileId, decisionId, supersededBy: derivedId('fallback') });

/** A report of one showing a paywall; `first` are those shown for the first time. */
export const shown = (
  profileId: string,
  paywallIds: readonly number[],
  first: readonly number[],
  decisionId?: string,
) =>
  EventsReported.of({
    appId,
    profileId,
    events: paywallIds.map((paywallId, index) => ({
      eventId: derivedId(`${profileId}/${paywallIds.join()}/${index}`),
      eventType: 'paywall_shown',
      decisionId: decisionId ?? null,
      paywallId,
      placementId: 'onboarding',
      aiPricingModelId: null,
      abTestId: null,
      isExperiment: false,
      foreignToken: false,
      uniqueImpression: first.includes(paywallId),
    })),
  });

export const served = (profileId: string, decisionId: string, changes: Partial<PaywallServed['body']> = {}) =>
  PaywallServed.of({
    appId,
    profileId,
    decisionId,
    placementId: 'onboarding',
    paywall: 'calm',
    paywallId: 12,
    catalogRevision: 1,
    isExperiment: false,
    aiPricingModelId: null,
    abTestId: null,
    externalId: 'calm_v1',
    target: 'baseline',
    path: [{ placementId: 'onboarding', target: 'baseline', weight: null }],
    modelVersion: null,
    candidates: [],
    probability: null,
    seed: decisionId,
    context: {
      country: 'DE',
      storeCountry: null,
      locale: null,
      currency: null,
      device: null,
      os: null,
      osVersion: null,
      platform: null,
      appVersion: null,
      appBuild: null,
      timezone: null,
      attributionSource: null,
      store: null,
      profileCreatedAt: startedAt,
      custom: {},
    },
    latencyMs: 1,
    stickyTo: null,
    stickyUntil: null,
    fallback: null,
    ...changes,
  });
