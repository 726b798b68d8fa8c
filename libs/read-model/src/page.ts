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
    super('cursor must be a nextCursor that this list gave out.');
  }
}

/**
 * The cursors of a list: opaque to clients, the list's name and a position as JSON in base64url. They never hold a personal
 * field, since they are in URLs.
 */
export class ListCursors<Position> {
  readonly #list: string;
  readonly #schema: z.ZodType<readonly [string, Position]>;

  /** @param list a name that no other list has, so that their cursors are refused */
  constructor(list: string, position: z.ZodType<Position>) {
    this.#list = list;
    this.#schema = z.tuple([z.literal(list), position]);
  }

  /**
   * The position that a cursor stands for, or null without a cursor.
   * @throws InvalidCursor if it is no position in this list
   */
  read(cursor: string | null): Position | null {
    if (cursor === null) return null;
    try {
      const [, position] = this.#schema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
      if (this.at(position) === cursor) return position; // what is no base64url was skipped
    } catch {
      // refused below
    }
    throw new InvalidCursor();
  }

  at(position: Position): string {
    return Buffer.from(JSON.stringify([this.#list, position])).toString('base64url');
  }

  /**
   * A page from the entries found, one more of which than the limit was asked for.
   * @param position where an entry stands: the next page begins behind the last one shown
   */
  page<Entry>(found: readonly Entry[], limit: number, position: (last: Entry) => Position): Page<Entry> {
    const entries = found.slice(0, limit);
    const last = entries.at(-1);
    const more = found.length > limit && last !== undefined;
    return { entries, nextCursor: more ? this.at(position(last)) : null };
  }
}

/** Positions in a list. Postgres' integers and timestamps are bounded, so the schemas are too. */
export const versionPosition = z.int().min(1).max(2_147_483_647);
export const timePosition = z.int().min(0).max(253_402_300_799_999);
