import { namedDefects } from '@paywright/platform';

/**
 * Faults that a test build can be given on purpose, so that the fault suite can show that it would catch them.
 * - `commit-before-handling`: the offset is committed before the handler runs
 * - `no-hand-off`: a slow batch keeps every partition waiting, and not its own alone
 * - `idempotent-producer`: kafkajs's idempotent mode, one request a `send`
 * - `parse-outside-catch`: bodies are parsed where nothing catches what the parser throws
 * - `faults-are-dead-letters`: a fault of the infrastructure counts as one of the message
 * - `from-latest`: a group whose offsets are gone begins at the ends of its topics
 */
export const messagingDefects = [
  'commit-before-handling',
  'no-hand-off',
  'idempotent-producer',
  'parse-outside-catch',
  'faults-are-dead-letters',
  'from-latest',
] as const;
export type Defect = (typeof messagingDefects)[number];

export const noDefects: ReadonlySet<Defect> = new Set();

export const defectsFrom = (env: NodeJS.ProcessEnv): ReadonlySet<Defect> => namedDefects(messagingDefects, env);
