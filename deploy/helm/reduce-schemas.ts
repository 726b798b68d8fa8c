import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** The kinds that the chart makes, by the names of their files. */
const kinds = [
  'deployment-apps-v1',
  'statefulset-apps-v1',
  'job-batch-v1',
  'service-v1',
  'horizontalpodautoscaler-autoscaling-v2',
  'poddisruptionbudget-policy-v1',
  'networkpolicy-networking-v1',
];

const Schema = z.record(z.string(), z.unknown());
const Definitions = z.object({ $defs: z.record(z.string(), Schema) });
const reference = /^.*#\/\$defs\//;

/**
 * Writes what of Kubernetes' schemas the chart is checked by: the kinds that it makes, without words.
 * @param source a folder of strict JSON schemas, one a kind, with `_definitions.json`
 */
function reduceSchemas(source: string, target: string): void {
  const read = (name: string): unknown => JSON.parse(readFileSync(join(source, `${name}.json`), 'utf8'));
  const all = Definitions.parse(read('_definitions')).$defs;
  const used = new Map<string, unknown>();
  const use = (schema: unknown) => withoutWords(schema, (name) => keep(name));
  const keep = (name: string): string => {
    if (!used.has(name)) {
      used.set(name, null);
      used.set(name, use(Schema.parse(all[name])));
    }
    return `#/$defs/${name}`;
  };
  const byKind = kinds.map((kind): [string, unknown] => [kind, use(Schema.parse(read(kind)))]);
  const $defs = Object.fromEntries([...byKind, ...[...used].sort(([one], [other]) => (one < other ? -1 : 1))]);
  writeFileSync(target, `${JSON.stringify({ $defs })}\n`);
}

/** Also without the status: nobody but the cluster writes it. */
function withoutWords(value: unknown, refer: (name: string) => string, isProperties = false): unknown {
  if (Array.isArray(value)) return value.map((entry: unknown) => withoutWords(entry, refer));
  if (typeof value !== 'object' || value === null) return value;
  const entries: readonly [string, unknown][] = Object.entries(value);
  const kept = entries.filter(([key]) =>
    isProperties ? key !== 'status' : !/^(description|\$id|\$schema|x-kubernetes-.*)$/.test(key),
  );
  return Object.fromEntries(
    kept.map(([key, inner]) => [
      key,
      key === '$ref' && typeof inner === 'string'
        ? refer(inner.replace(reference, ''))
        : withoutWords(inner, refer, key === 'properties' && !isProperties),
    ]),
  );
}

const [source, target] = process.argv.slice(2);
if (!source || !target) throw new Error('Usage: node deploy/helm/reduce-schemas.ts <folder of schemas> <file>');
reduceSchemas(source, target);
