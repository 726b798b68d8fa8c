/** Whether who asks has the revision: one of those in If-None-Match, weak ones and bare ones too, or `*`, which is any. */
export function hasRevision(ifNoneMatch: string | undefined, revision: number): boolean {
  const tags = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return tags.some((tag) => ['*', `"${revision}"`, String(revision)].includes(tag));
}
