import type { CatalogChange, CatalogDocument } from '@paywright/contracts';
import { jsonEquals } from './json-equality.ts';

type Lists = Omit<CatalogDocument, 'app'>;
const lists = ['accessLevels', 'products', 'paywalls', 'models', 'placements'] as const satisfies (keyof Lists)[];

/**
 * What it takes to make one catalog of the other: a change for each field of an object that stays, one for each
 * whole object that comes or goes. None if they are equal; the order of a list's objects means nothing.
 */
export const catalogChanges = (before: CatalogDocument, after: CatalogDocument): CatalogChange[] => [
  ...fieldChanges('/app', before.app, after.app),
  ...lists.flatMap((list) => listChanges(`/${list}`, before[list], after[list])),
];

interface Identified {
  readonly id: string;
}

function listChanges(path: string, before: readonly Identified[], after: readonly Identified[]): CatalogChange[] {
  const stored = byId(before);
  const wanted = byId(after);
  const gone = before.filter(({ id }) => !wanted.has(id));
  return [
    ...gone.map((object): CatalogChange => ({
      op: 'remove',
      path: `${path}/${object.id}`,
      before: object,
      after: null,
    })),
    ...after.flatMap((object): CatalogChange[] => {
      const former = stored.get(object.id);
      return former
        ? fieldChanges(`${path}/${object.id}`, former, object)
        : [{ op: 'add', path: `${path}/${object.id}`, before: null, after: object }];
    }),
  ];
}

const byId = (objects: readonly Identified[]) => new Map(objects.map((object) => [object.id, object]));

/** Both have every field of their schema, so a field comes or goes with its object alone. */
function fieldChanges(path: string, before: object, after: object): CatalogChange[] {
  const former = new Map<string, unknown>(Object.entries(before));
  return Object.entries<unknown>({ ...after })
    .filter(([field, value]) => !jsonEquals(former.get(field), value))
    .map(([field, value]) => ({ op: 'change', path: `${path}/${field}`, before: former.get(field), after: value }));
}
