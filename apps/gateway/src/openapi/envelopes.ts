import type { Schema } from './json-schema.ts';

/** `{ok: true, data}`. */
export const dataOf = (schema: Schema): Schema => ({
  type: 'object',
  properties: { ok: { const: true }, data: schema },
  required: ['ok', 'data'],
});

/** `{ok: true, data: [...], nextCursor}`. */
export const pageOf = (schema: Schema): Schema => ({
  type: 'object',
  properties: {
    ok: { const: true },
    data: { type: 'array', items: schema },
    nextCursor: { type: ['string', 'null'], description: 'The cursor of the next page; null on the last one' },
  },
  required: ['ok', 'data', 'nextCursor'],
});

export const errorSchemas: Readonly<Record<string, Schema>> = {
  Error: {
    type: 'object',
    description: 'What every request is answered that is not successful',
    properties: {
      error: { type: 'string', description: 'One English sentence that says what to mend' },
      code: { type: 'string', description: 'For programs; a code keeps its meaning for ever' },
      details: {
        type: 'array',
        description: 'Every fault of a catalog or of store credentials; the first token of a batch that cannot be used',
        items: {
          type: 'object',
          properties: {
            path: {
              type: 'string',
              description: "JSON Pointer; in a catalog with an object's id in place of its index",
            },
            message: { type: 'string', description: 'What is wrong there' },
          },
          required: ['path', 'message'],
        },
      },
    },
    required: ['error', 'code'],
  },
};
