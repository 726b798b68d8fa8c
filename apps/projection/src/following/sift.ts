/** An event by its place in its stream, and its id. */
export interface Placed {
  readonly id: string;
  readonly stream: string;
  readonly streamVersion: number;
}

/** What became of events at the guard, each list in their order. */
export interface Sifted<Item> {
  /** The next ones of their streams: to be applied. */
  readonly fresh: readonly Item[];
  /** Those whose version is stored, or passed before them. */
  readonly known: readonly Item[];
  /** Those that would leave a gap, with the version that is missing; null: behind such a one. */
  readonly early: readonly { readonly item: Item; readonly missing: number | null }[];
}

const none: ReadonlyMap<string, number> = new Map();

/**
 * The guard against events published again, and against gaps: of each stream the stored version's successors
 * pass, in order, and what is not newer is dropped.
 * @param stored the version that each stream's rows show; a stream without rows is absent
 * @param skipped the version of each stream behind which it goes on, though the rows do not show it
 */
export function sift<Item extends { readonly entry: Placed }>(
  items: readonly Item[],
  stored: ReadonlyMap<string, { readonly version: number }>,
  skipped: ReadonlyMap<string, number> = none,
): Sifted<Item> {
  const versions = new Map<string, number>();
  const stopped = new Set<string>();
  const fresh: Item[] = [];
  const known: Item[] = [];
  const early: { item: Item; missing: number | null }[] = [];
  for (const item of items) {
    const { stream, streamVersion } = item.entry;
    const version = versions.get(stream) ?? stored.get(stream)?.version ?? 0;
    const givenUp = skipped.get(stream) ?? 0;
    if (stopped.has(stream)) early.push({ item, missing: null });
    else if (streamVersion === version + 1 || (givenUp > version && streamVersion === givenUp + 1)) {
      fresh.push(item);
      versions.set(stream, streamVersion);
    } else if (streamVersion > Math.max(version, givenUp)) {
      early.push({ item, missing: version + 1 });
      stopped.add(stream);
    } else known.push(item);
  }
  return { fresh, known, early };
}
