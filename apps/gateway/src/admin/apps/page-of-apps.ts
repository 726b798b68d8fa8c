import { ListCursors, versionPosition, type Page, type PageRequest } from '@paywright/read-model';
import type { App } from '../../catalog/apps.ts';

const cursors = new ListCursors('apps', versionPosition);

/**
 * A part of the apps, which are held by id: the cursor is the last id shown.
 * @throws InvalidCursor
 */
export async function pageOfApps(apps: readonly App[], { limit, cursor }: PageRequest): Promise<Page<App>> {
  const after = cursors.read(cursor) ?? 0;
  const following = apps.filter(({ id }) => id > after);
  return cursors.page(following, limit, ({ id }) => id);
}
