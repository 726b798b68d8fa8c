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

/** The defects named in PAYWRIGHT_BREAK (comma separated); none unless NODE_ENV is `test`. Other names are other parts'. */
export function projectionDefectsFrom(env: NodeJS.ProcessEnv): ProjectionDefects {
  if (env['NODE_ENV'] !== 'test') return new Set();
  const named = (env['PAYWRIGHT_BREAK'] ?? '').split(',');
  return new Set(projectionDefects.filter((defect) => named.includes(defect)));
}
