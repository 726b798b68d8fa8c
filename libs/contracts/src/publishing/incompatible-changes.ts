import type { JsonSchema } from './json-schemas.ts';

/** Words for people: they may change without changing the contract. */
const annotations = new Set(['title', 'description', 'examples', '$comment']);

/**
 * What a published schema may not have changed to, as sentences with the place in the schema; empty if the
 * change is compatible. Readers of old and new shapes live side by side for ever, so one change alone is
 * compatible both ways: a new optional property.
 */
export function incompatibleChanges(published: unknown, proposed: unknown, at = '#'): readonly string[] {
  if (Array.isArray(published) || Array.isArray(proposed)) return compareLists(published, proposed, at);
  if (isSchema(published) && isSchema(proposed)) return compareObjects(published, proposed, at);
  return Object.is(published, proposed) ? [] : [`${at}: ${show(published)} became ${show(proposed)}`];
}

function compareLists(published: unknown, proposed: unknown, at: string): readonly string[] {
  if (!Array.isArray(published) || !Array.isArray(proposed) || published.length !== proposed.length)
    return [`${at}: ${show(published)} became ${show(proposed)}`];
  return published.flatMap((entry, index) => incompatibleChanges(entry, proposed[index], `${at}/${index}`));
}

function compareObjects(published: JsonSchema, proposed: JsonSchema, at: string): readonly string[] {
  const named = at.endsWith('/properties');
  const ignored = (key: string) => !named && annotations.has(key);
  const kept = Object.keys(published).filter((key) => !ignored(key));
  const added = Object.keys(proposed).filter((key) => !(key in published) && !ignored(key));
  return [
    ...kept.flatMap((key) =>
      key in proposed
        ? incompatibleChanges(published[key], proposed[key], `${at}/${key}`)
        : [`${at}/${key}: was removed`],
    ),
    // A new property that must be there shows as a change of `required`.
    ...(named ? [] : added.map((key) => `${at}/${key}: was added`)),
  ];
}

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null;
const show = (value: unknown): string => JSON.stringify(value) ?? 'nothing';
