/**
 * The faults that a test build is given on purpose, so that the fault suite can show that it would catch them: those of
 * `known` that PAYWRIGHT_BREAK names, comma separated. None unless NODE_ENV is `test`; other names are other parts'.
 */
export function namedDefects<Name extends string>(known: readonly Name[], env: NodeJS.ProcessEnv): ReadonlySet<Name> {
  if (env['NODE_ENV'] !== 'test') return new Set();
  const named = (env['PAYWRIGHT_BREAK'] ?? '').split(',');
  return new Set(known.filter((defect) => named.includes(defect)));
}
