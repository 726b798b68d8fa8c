/** A JSON Schema (2020-12, as OpenAPI 3.1 takes it). */
export type Schema = Readonly<Record<string, unknown>>;
type Properties = Readonly<Record<string, Schema>>;

export const text = (description: string, more: Schema = {}): Schema => ({ type: 'string', description, ...more });
export const integer = (description: string, more: Schema = {}): Schema => ({ type: 'integer', description, ...more });
/** A number that we gave out, as a client sends it. */
export const integerOf32Bits = (description: string): Schema =>
  integer(description, { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 });
export const safeInteger = (description: string): Schema =>
  integer(description, { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER });
export const number = (description: string, more: Schema = {}): Schema => ({ type: 'number', description, ...more });
/** As clients send one: `fields.ts` refuses others. */
export const numberBelow1e18 = (description: string): Schema =>
  number(description, { exclusiveMinimum: -1e18, exclusiveMaximum: 1e18 });
export const boolean = (description: string): Schema => ({ type: 'boolean', description });
export const time = (description: string): Schema =>
  text(description, { format: 'date-time', examples: ['2026-01-02T03:04:05.678Z'] });
export const uuid = (description: string): Schema => text(description, { format: 'uuid' });
/** A text that is an address, or empty, as clients send one: `fields.ts` refuses others. */
export const ipAddress: Schema = {
  anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }, { maxLength: 0 }],
  examples: ['203.0.113.7', '2001:db8::7'],
};
export const oneOf = (values: readonly string[], description: string): Schema => text(description, { enum: values });
export const listOf = (items: Schema, description: string, more: Schema = {}): Schema => ({
  type: 'array',
  description,
  items,
  ...more,
});
/** Objects that have a schema of their own among the document's components. */
export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** An object with values of one schema, by names that are not known beforehand. */
export const mapOf = (values: Schema, description: string): Schema => ({
  type: 'object',
  description,
  additionalProperties: values,
});

/** The schema's values, or null. */
export function orNull(schema: Schema): Schema {
  if ('$ref' in schema) return { anyOf: [schema, { type: 'null' }] };
  const values: unknown = schema['enum'];
  return { ...schema, type: [schema['type'], 'null'], ...(Array.isArray(values) && { enum: values.concat(null) }) };
}

/** An object of these fields alone, all of which are there: what the service answers. */
export const answered = (description: string, properties: Properties): Schema => ({
  type: 'object',
  description,
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

/** An object that a client sends: these fields must be there, others are ignored. */
export const sent = (description: string, required: readonly string[], properties: Properties): Schema => ({
  type: 'object',
  description,
  properties,
  ...(required.length > 0 && { required }),
});

/** An object that a client sends: these fields, and no others. */
export const sentAlone = (description: string, required: readonly string[], properties: Properties): Schema => ({
  ...sent(description, required, properties),
  additionalProperties: false,
});
