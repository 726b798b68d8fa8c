import { InvalidCursor, type Page, type PageRequest } from '@paywright/read-model';
import type { App } from '../../catalog/apps.ts';

/**
 * A part of the apps, which are held by id: the cursor is the last id shown.
 * @throws InvalidCursor
 */
export async function pageOfApps(apps: readonly App[], { limit, cursor }: PageRequest): Promise<Page<App>> {
  const after = cursor === null ? 0 : idIn(cursor);
  const following = apps.filter(({ id }) => id > after);
  const entries = following.slice(0, limit);
  const last = entries.at(-1);
  return { entries, nextCursor: last && following.length > limit ? cursorOf(last) : null };
}

const cursorOf = ({ id }: Pick<App, 'id'>) => Buffer.from(`app ${id}`).toString('base64url');

function idIn(cursor: string): number {
  const [, digits] = /^app (\d{1,10})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (digits === undefined) throw new InvalidCursor();
  const id = Number(digits);
  if (cursorOf({ id }) !== cursor) throw new InvalidCursor(); // what is no base64url was skipped
  return id;
}
