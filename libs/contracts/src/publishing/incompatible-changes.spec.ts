import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { incompatibleChanges } from './incompatible-changes.ts';

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
