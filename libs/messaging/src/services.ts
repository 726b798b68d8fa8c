import { topics, type EventTopic } from '@paywright/contracts';

/** The services that own streams. */
export const services = ['profile', 'catalog', 'selection', 'impression', 'purchase'] as const;
export type Service = (typeof services)[number];

/** The topic of each service's events. */
export const eventTopicOf = {
  profile: topics.profileEvents,
  catalog: topics.catalogEvents,
  selection: topics.selectionEvents,
  impression: topics.impressionEvents,
  purchase: topics.purchaseEvents,
} as const satisfies Record<Service, EventTopic>;

const mebibyte = 1024 * 1024;
/** Headers, key and record batch of a message. */
const aroundBody = 64 * 1024;

/** What the topic of each service's events takes of an event's body, in bytes: see deploy/topics.json. */
export const mostEventBytesOf: Readonly<Record<Service, number>> = {
  profile: 2 * mebibyte - aroundBody,
  catalog: 24 * mebibyte - aroundBody,
  selection: 2 * mebibyte - aroundBody,
  impression: 2 * mebibyte - aroundBody,
  purchase: 8 * mebibyte - aroundBody,
};
