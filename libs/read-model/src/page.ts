import { z } from 'zod';

/** Which part of a list is wanted: at most `limit` entries behind the cursor, from the start without one. */
export interface PageRequest {
  readonly limit: number;
  readonly cursor: string | null;
}

/** A part of a list. `nextCursor` is null on the last one. */
export interface Page<Entry> {
  readonly entries: readonly Entry[];
  readonly nextCursor: string | null;
}

/** A cursor that no page of this list gave out: the client's fault. */
export class InvalidCursor extends Error {
  override readonly name = 'InvalidCursor';

  constructor() {
    super('cursor: is none that this list gave out.');
  }
}

/** Opaque to clients: the position as JSON in base64url. It never holds a personal field, since it is in URLs. */
export const encodeCursor = (position: unknown): string => Buffer.from(JSON.stringify(position)).toString('base64url');

/**
 * The position that a cursor stands for, or null without a cursor.
 * @throws InvalidCursor if it is no position of this shape
 */
export function decodeCursor<Schema extends z.ZodType>(cursor: string | null, schema: Schema): z.output<Schema> | null {
  if (cursor === null) return null;
  try {
    const position: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (encodeCursor(position) !== cursor) throw new InvalidCursor(); // what is no base64url was skipped
    return schema.parse(position);
  } catch {
    throw new InvalidCursor();
  }
}

/**
 * A page from the entries found, one more of which than the limit was asked for.
 * @param position where an entry stands: the next page begins behind the last one shown
 */
export function toPage<Entry>(found: readonly Entry[], limit: number, position: (last: Entry) => unknown): Page<Entry> {
  const entries = found.slice(0, limit);
  const last = entries.at(-1);
  const more = found.length > limit && last !== undefined;
  return { entries, nextCursor: more ? encodeCursor(position(last)) : null };
}

/** Positions in a list. Postgres' integers and timestamps are bounded, so the schemas are too. */
export const versionPosition = z.int().min(1).max(2_147_483_647);
export const timePosition = z.int().min(0).max(253_402_300_799_999);
