import { expect, it } from '@jest/globals';
import { jsonSchemas, type JsonSchema } from './json-schemas.ts';

const isPublished = ([path]: readonly [string, JsonSchema]) =>
  path.startsWith('events/') || path === 'records/PersonalRecord.json';

const isObject = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null;

/** Of a field that may be null the description may stand beside that. */
const isDescribed = (field: JsonSchema): boolean =>
  [field, ...Object.values(field).flat()].some((part) => isObject(part) && typeof part['description'] === 'string');

function undescribed(schema: unknown, place: string): readonly string[] {
  if (!isObject(schema)) return [];
  const fields = Object.entries(isObject(schema['properties']) ? schema['properties'] : {});
  const own = fields.flatMap(([name, field]) => (isObject(field) && !isDescribed(field) ? [`${place}/${name}`] : []));
  const within = fields.flatMap(([name, field]) => undescribed(field, `${place}/${name}`));
  const others = Object.entries(schema).filter(([keyword]) => keyword !== 'properties');
  return [...own, ...within, ...others.flatMap(([, part]) => undescribed(part, place))];
}

it('says of every published field what it is', () => {
  const published = [...jsonSchemas()].filter(isPublished);
  expect(published.length).toBeGreaterThan(30);
  expect(published.flatMap(([path, schema]) => undescribed(schema, path))).toEqual([]);
});

it('says of every event what happened', () => {
  const events = [...jsonSchemas()].filter(([path]) => path.startsWith('events/'));
  for (const [path, { description }] of events)
    expect([path, description]).toEqual([path, expect.stringMatching(/^[A-Z][^]*\. On [a-z]+\.events\.$/)]);
  expect(new Set(events.map(([, { description }]) => description)).size).toBe(events.length);
});
