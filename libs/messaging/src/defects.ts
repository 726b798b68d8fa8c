import { namedDefects } from '@paywright/platform';

/**
 * Faults that a test build can be given on purpose, so that the fault suite can show that it would catch them.
 * - `commit-before-handling`: the offset is committed before the handler runs
 * - `no-hand-off`: a slow batch keeps every partition waiting, and not its own alone
 * - `idempotent-producer`: kafkajs's idempotent mode, one request a `send`
 * - `parse-outside-catch`: bodies are parsed where nothing catches what the parser throws
 */
export const messagingDefects = [
  'commit-before-handling',
  'no-hand-off',
  'idempotent-producer',
  'parse-outside-catch',
] as const;
export type Defect = (typeof messagingDefects)[number];

export const noDefects: ReadonlySet<Defect> = new Set();

export const defectsFrom = (env: NodeJS.ProcessEnv): ReadonlySet<Defect> => namedDefects(messagingDefects, env);
