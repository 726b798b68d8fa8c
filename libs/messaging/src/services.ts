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
