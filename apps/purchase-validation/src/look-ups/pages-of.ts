/** All pages of a list, from the first on. @param read the page behind this one, or the first; its `next` is null in the last */
export async function* pagesOf<Page extends { readonly next: string | null }>(
  read: (after: string | null) => Promise<Page>,
): AsyncGenerator<Page, void> {
  for (let after: string | null = null; ;) {
    const page = await read(after);
    yield page;
    if (page.next === null) return;
    after = page.next;
  }
}

/**
 * Pages of a list that are at most so many.
 * @returns null if there are more, or others are to read the rest: once `stopping` is aborted
 */
export async function pagesUpTo<Page extends { readonly next: string | null }>(
  most: number,
  stopping: AbortSignal,
  read: (after: string | null) => Promise<Page>,
): Promise<readonly Page[] | null> {
  const pages: Page[] = [];
  for await (const page of pagesOf(read)) {
    pages.push(page);
    if (page.next !== null && (pages.length === most || stopping.aborted)) return null;
  }
  return pages;
}
