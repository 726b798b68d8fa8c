import type { Page, PageRequest } from '../page.ts';

/** Every page of a list, as a client walks through it. */
export async function allPages<Entry>(
  limit: number,
  read: (page: PageRequest) => Promise<Page<Entry>>,
): Promise<readonly (readonly Entry[])[]> {
  const pages: (readonly Entry[])[] = [];
  let cursor: string | null = null;
  do {
    const page: Page<Entry> = await read({ limit, cursor });
    pages.push(page.entries);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return pages;
}
