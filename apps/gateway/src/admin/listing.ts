import { InvalidCursor, type Page, type PageRequest } from '@paywright/read-model';
import { validationFailed } from '../http/api-error.ts';

/** The query of a route, as the HTTP server parses it: a name given twice has a list. */
export type Query = Readonly<Record<string, unknown>>;

const defaultLimit = 50;
const longestLimit = 200;

/** @throws ApiError VALIDATION_FAILED */
export function pageRequest({ limit, cursor }: Query): PageRequest {
  return { limit: limitOf(limit), cursor: cursorOf(cursor) };
}

/**
 * A part of a list, as every list is answered.
 * @throws ApiError VALIDATION_FAILED for a cursor that the list did not give out
 */
export async function listAnswer<Entry>(page: Promise<Page<Entry>>, view: (entry: Entry) => object) {
  try {
    const { entries, nextCursor } = await page;
    return { ok: true, data: entries.map(view), nextCursor };
  } catch (error) {
    throw error instanceof InvalidCursor ? validationFailed(error.message) : error;
  }
}

/** @throws ApiError VALIDATION_FAILED if the flag is there and neither `true` nor `false` */
export function flag(query: Query, name: string): boolean {
  const value = query[name];
  if (value === undefined || value === 'false') return false;
  if (value === 'true') return true;
  throw validationFailed(`${name} must be true or false.`);
}

function limitOf(value: unknown): number {
  if (value === undefined) return defaultLimit;
  const limit = typeof value === 'string' && /^\d{1,3}$/.test(value) ? Number(value) : 0;
  if (limit >= 1 && limit <= longestLimit) return limit;
  throw validationFailed(`limit must be an integer from 1 to ${longestLimit}.`);
}

function cursorOf(value: unknown): string | null {
  if (value === undefined) return null;
  if (typeof value === 'string' && value !== '') return value;
  throw validationFailed('cursor must be the nextCursor of a list before.');
}
