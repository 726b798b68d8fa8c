const ending = '.event.ts';

/**
 * Sentences on events whose file is there and which no topic carries: nothing is published of them, and nothing else would
 * tell.
 * @param files below libs/contracts/src
 * @param listed the types in its registry.ts
 */
export function unlistedEvents(files: readonly string[], listed: readonly string[]): readonly string[] {
  return files
    .filter((file) => file.endsWith(ending) && !listed.includes(typeOf(file)))
    .sort()
    .map((file) => `libs/contracts/src/${file}: no topic carries ${typeOf(file)}; add it to eventsOf in registry.ts.`);
}

/** Files are named as their events: paywall-served.event.ts has PaywallServed. */
const typeOf = (file: string): string =>
  file
    .slice(file.lastIndexOf('/') + 1, -ending.length)
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
