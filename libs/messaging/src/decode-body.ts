import type { z } from 'zod';
import { UndecodableMessage } from './errors.ts';

/**
 * The body as its schema gives it.
 * @throws UndecodableMessage that names the faulty fields and holds none of their values
 */
export function decodeBody<Schema extends z.ZodType>(schema: Schema, value: Buffer | null): z.output<Schema> {
  const result = schema.safeParse(parseJson(value));
  if (!result.success)
    throw new UndecodableMessage(`The body is not what its type promises: ${faultsOf(result.error)}.`);
  return result.data;
}

function parseJson(value: Buffer | null): unknown {
  if (value === null) throw new UndecodableMessage('The message has no body.');
  try {
    return JSON.parse(value.toString());
  } catch {
    // The parser's own message repeats a part of the body.
    throw new UndecodableMessage('The body is not JSON.');
  }
}

/** Where and what, without the values: `fields.country: too_big`. */
export const faultsOf = ({ issues }: z.ZodError): string =>
  issues
    .slice(0, 5)
    .map(({ path, code }) => `${path.map(String).join('.') || 'whole'}: ${code}`)
    .join(', ');
