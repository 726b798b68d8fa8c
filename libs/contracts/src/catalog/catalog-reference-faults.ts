import { isObject, isUsableId, nameOf, pointer, type CatalogFault, type Json } from './catalog-fault.ts';

const lists = ['accessLevels', 'products', 'paywalls', 'models', 'placements'] as const;
type List = (typeof lists)[number];

const nouns = {
  accessLevels: 'access level',
  products: 'product',
  paywalls: 'paywall',
  models: 'model',
  placements: 'placement',
} as const satisfies Record<List, string>;

/** A place that names an object of a list. */
interface Reference {
  readonly path: readonly (string | number)[];
  readonly name: unknown;
  readonly to: List;
}

/**
 * What no schema can see: ids given twice, names that nothing defines, a candidate listed twice, weights whose sum
 * is no number. Looks at whatever has the right shape, so that shape faults hide none of these.
 */
export function catalogReferenceFaults(json: Json): readonly CatalogFault[] {
  const ids = new Map(lists.map((list) => [list, new Set(entriesOf(json, list).map(({ entry }) => entry['id']))]));
  const unknown = referencesIn(json)
    .filter(({ name, to }) => isUsableId(name) && !ids.get(to)?.has(name))
    .map(({ path, name, to }) => ({ path: pointer(...path), message: `names no ${nouns[to]}: "${String(name)}"` }));
  return [...lists.flatMap((list) => repeatedIds(json, list)), ...unknown, ...modelFaults(json)];
}

interface Entry {
  readonly entry: Json;
  readonly index: number;
  readonly name: string;
}

/** The objects of a list, whatever else is in it. */
export function entriesOf(json: Json, list: string): readonly Entry[] {
  const entries: unknown = json[list];
  if (!Array.isArray(entries)) return [];
  return entries.flatMap((entry: unknown, index) =>
    isObject(entry) ? [{ entry, index, name: nameOf(entry, index) }] : [],
  );
}

function referencesIn(json: Json): readonly Reference[] {
  const products = entriesOf(json, 'products').map(({ entry, name }): Reference => ({
    path: ['products', name, 'accessLevel'],
    name: entry['accessLevel'],
    to: 'accessLevels',
  }));
  const attachments = entriesOf(json, 'paywalls').flatMap(({ entry: paywall, name }) =>
    entriesOf(paywall, 'products').map(({ entry, index }): Reference => ({
      path: ['paywalls', name, 'products', index, 'product'],
      name: entry['product'],
      to: 'products',
    })),
  );
  return [
    ...products,
    ...attachments,
    ...entriesOf(json, 'models').flatMap(({ entry, name }) => referencesOfModel(entry, name)),
    ...entriesOf(json, 'placements').flatMap(({ entry, name }): Reference[] => [
      { path: ['placements', name, 'baseline'], name: entry['baseline'], to: 'paywalls' },
      { path: ['placements', name, 'model'], name: entry['model'], to: 'models' },
    ]),
  ];
}

function referencesOfModel(model: Json, name: string): readonly Reference[] {
  const candidates = candidatesOf(model).map((candidate, index): Reference => ({
    path: ['models', name, 'candidates', index],
    name: candidate,
    to: 'paywalls',
  }));
  const traffic = entriesOf(model, 'traffic')
    .filter(({ entry }) => entry['target'] === 'placement')
    .map(({ entry, index }): Reference => ({
      path: ['models', name, 'traffic', index, 'placement'],
      name: entry['placement'],
      to: 'placements',
    }));
  return [...candidates, ...traffic];
}

function candidatesOf({ candidates }: Json): readonly unknown[] {
  return Array.isArray(candidates) ? candidates : [];
}

function repeatedIds(json: Json, list: List): readonly CatalogFault[] {
  const seen = new Set<string>();
  return entriesOf(json, list).flatMap(({ entry: { id }, name }) => {
    if (!isUsableId(id)) return [];
    if (seen.has(id)) return [{ path: pointer(list, name, 'id'), message: `is the id of another ${nouns[list]} too` }];
    seen.add(id);
    return [];
  });
}

function modelFaults(json: Json): readonly CatalogFault[] {
  return entriesOf(json, 'models').flatMap(({ entry: model, name }) => {
    const candidates = candidatesOf(model);
    const positions = new Map([...candidates.entries()].reverse().map(([index, candidate]) => [candidate, index]));
    const repeated = [...candidates.entries()]
      .filter(([index, candidate]) => isUsableId(candidate) && positions.get(candidate) !== index)
      .map(([index]) => ({ path: pointer('models', name, 'candidates', index), message: 'is a candidate already' }));
    const weights = entriesOf(model, 'traffic').map(({ entry: { weight } }) =>
      typeof weight === 'number' ? weight : 0,
    );
    const sum = weights.reduce((total, weight) => total + weight, 0);
    const tooHeavy = weights.every(Number.isFinite) && !Number.isFinite(sum);
    return [
      ...repeated,
      ...(tooHeavy ? [{ path: pointer('models', name, 'traffic'), message: 'has weights too large to add up' }] : []),
    ];
  });
}
