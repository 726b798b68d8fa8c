import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { incompatibleChanges } from './incompatible-changes.ts';
import { eventSchema } from './json-schemas.ts';

const published = z.toJSONSchema(z.object({ id: z.uuid(), target: z.enum(['a', 'b']), count: z.int().optional() }));
const changesTo = (schema: z.ZodType) => incompatibleChanges(published, z.toJSONSchema(schema));

describe('a published schema', () => {
  it('may gain an optional property', () =>
    expect(
      changesTo(
        z.object({ id: z.uuid(), target: z.enum(['a', 'b']), count: z.int().optional(), note: z.string().optional() }),
      ),
    ).toEqual([]));

  it('may gain an optional property whose name is a word of JSON Schema', () =>
    expect(
      changesTo(
        z.object({ id: z.uuid(), target: z.enum(['a', 'b']), count: z.int().optional(), title: z.string().optional() }),
      ),
    ).toEqual([]));

  it('may be described in other words', () =>
    expect(incompatibleChanges({ ...published, description: 'old' }, { ...published, description: 'new' })).toEqual(
      [],
    ));

  it.each([
    [
      'gain a required property',
      z.object({ id: z.uuid(), target: z.enum(['a', 'b']), count: z.int().optional(), n: z.int() }),
    ],
    ['lose a property', z.object({ id: z.uuid(), target: z.enum(['a', 'b']) })],
    [
      'make a property optional',
      z.object({ id: z.uuid().optional(), target: z.enum(['a', 'b']), count: z.int().optional() }),
    ],
    ['require an optional property', z.object({ id: z.uuid(), target: z.enum(['a', 'b']), count: z.int() })],
    [
      'gain a value of an enumeration',
      z.object({ id: z.uuid(), target: z.enum(['a', 'b', 'c']), count: z.int().optional() }),
    ],
    ['lose a value of an enumeration', z.object({ id: z.uuid(), target: z.enum(['a']), count: z.int().optional() })],
    ['change a type', z.object({ id: z.uuid(), target: z.enum(['a', 'b']), count: z.string().optional() })],
    ['tighten a format', z.object({ id: z.string(), target: z.enum(['a', 'b']), count: z.int().optional() })],
    ['gain a bound', z.object({ id: z.uuid(), target: z.enum(['a', 'b']), count: z.int().max(9).optional() })],
  ])('may not %s', (_change, schema) => expect(changesTo(schema)).not.toEqual([]));
});

describe('the body of an event', () => {
  const schemaOf = (body: z.ZodType) => eventSchema({ type: 'Counted', version: 2, body }, 'A count.');

  it('may be what JSON Schema shows', () =>
    expect(schemaOf(z.object({ by: z.int().max(9).default(1), more: z.looseObject({}).optional() }))).toMatchObject({
      title: 'Counted.v2',
    }));

  it.each([
    ['refuse what a later version adds', z.strictObject({ by: z.int() }), 'Counted.v2 is a strict object'],
    ['do so within', z.object({ at: z.array(z.strictObject({})) }), 'Counted.v2/properties/at/items is a strict'],
    [
      'be refined, which no comparison would find',
      z.object({ by: z.int().refine((by) => by > 1) }),
      'Counted.v2/properties/by is refined',
    ],
    ['be refined as a whole', z.object({ by: z.int() }).refine(({ by }) => by > 1), 'Counted.v2 is refined'],
    ['be refined where it is a choice', z.union([z.int(), z.string().refine(Boolean)]), 'is refined'],
  ])('may not %s', (_, body, fault) => expect(() => schemaOf(body)).toThrow(fault));
});
