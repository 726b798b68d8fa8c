import { namedDefects } from '@paywright/platform';

/**
 * Faults that a test build can be given on purpose, so that the fault suite can show that it would catch them.
 * - `projection-without-stream-version`: an event published again is applied again, and a gap is not seen
 * - `projection-offset-outside-transaction`: the offset is committed before the rows
 * - `no-parking`: events behind one that cannot be handled are applied
 * - `no-fencing`: an owner that was replaced goes on writing
 */
export const projectionDefects = [
  'projection-without-stream-version',
  'projection-offset-outside-transaction',
  'no-parking',
  'no-fencing',
] as const;
export type ProjectionDefect = (typeof projectionDefects)[number];
export type ProjectionDefects = ReadonlySet<ProjectionDefect>;

export const projectionDefectsFrom = (env: NodeJS.ProcessEnv): ProjectionDefects =>
  namedDefects(projectionDefects, env);
