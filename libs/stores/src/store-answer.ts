import { z } from 'zod';
import { StoreFault } from './store-fault.ts';

/** What an open list of names becomes where the store says nothing, or something that we do not know. */
const unknownName = 'unknown';

/** One of the names, or `unknown`: a store may add to its lists at any time, and what is not known grants nothing. */
export const openEnum = <const Names extends readonly string[]>(names: Names) =>
  z
    .string()
    .nullish()
    .transform((text): Names[number] | typeof unknownName => names.find((name) => name === text) ?? unknownName);

/** An object of which only the presence counts. */
export const mark = z.object({}).nullish();

/**
 * The parts of a store's answer that the schema names.
 * @throws StoreFault `unavailable` if the answer has another form: a page of a proxy is no word of the store's
 */
export function readAnswer<Schema extends z.ZodType>(store: string, schema: Schema, answer: unknown): z.output<Schema> {
  const read = schema.safeParse(answer);
  if (!read.success) throw new StoreFault('unavailable', `An answer of ${store} has a form that is not its own.`);
  return read.data;
}
