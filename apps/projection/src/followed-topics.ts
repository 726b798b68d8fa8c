import { topics } from '@paywright/contracts';

/** The topics that the read model is folded from. */
export const followedTopics: readonly string[] = [
  topics.profileEvents,
  topics.profilePersonal,
  topics.catalogEvents,
  topics.selectionEvents,
  topics.impressionEvents,
  topics.purchaseEvents,
];
