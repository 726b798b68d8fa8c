/** Topic names. Literals on the wire: they never change. Partitions and retention are in deploy/topics.json. */
export const topics = {
  profileCommands: 'profile.commands',
  profileEvents: 'profile.events',
  profilePersonal: 'profile.personal',
  catalogCommands: 'catalog.commands',
  catalogEvents: 'catalog.events',
  catalogSnapshots: 'catalog.snapshots',
  selectionCommands: 'selection.commands',
  selectionEvents: 'selection.events',
  /** What models learn from: one ordered log a model. */
  selectionLearning: 'selection.learning',
  /** What models have learned, and what guards leave them. */
  selectionModels: 'selection.models',
  impressionCommands: 'impression.commands',
  impressionEvents: 'impression.events',
  /** What is asked of the stores; what they say becomes a purchase command. */
  purchaseRequests: 'purchase.requests',
  purchaseCommands: 'purchase.commands',
  purchaseEvents: 'purchase.events',
  /** What operators ask to be done about dead letters. */
  deadLetterCommands: 'dead-letter.commands',
  gatewayReplies: 'gateway.replies',
} as const;

export type Topic = (typeof topics)[keyof typeof topics];

/** Consumer groups that read a topic to the end. A gateway's reply group has the instance's id appended. */
export const groups = {
  profile: 'profile',
  catalog: 'catalog',
  selection: 'selection',
  selectionJoiner: 'selection-joiner',
  selectionTrainer: 'selection-trainer',
  impression: 'impression',
  purchaseRequests: 'purchase-requests',
  purchase: 'purchase',
  projection: 'projection',
  deadLetters: 'dead-letters',
} as const;

/** The dead-letter topic of a consumer group. */
export const deadLetterTopic = (group: string): string => `${group}.dead-letter`;
