import { z } from 'zod';

/**
 * An object by names that users chose, `__proto__` among them, which Zod's own record leaves out. Its values are taken as
 * they are.
 * @param description for the published schema: `describe` would make a copy that has none
 */
export function recordOf<Value extends z.ZodType>(
  value: Value,
  description?: string,
): z.ZodType<Readonly<Record<string, z.output<Value>>>> {
  const isOne = (input: unknown) =>
    typeof input === 'object' &&
    input !== null &&
    !Array.isArray(input) &&
    Object.values(input).every((one) => value.safeParse(one).success);
  const published = z.toJSONSchema(z.record(z.string(), value));
  delete published.$schema;
  if (description !== undefined) published.description = description;
  const record = z.custom<Readonly<Record<string, z.output<Value>>>>(isOne);
  record._zod.toJSONSchema = () => ({ ...published });
  return record;
}
