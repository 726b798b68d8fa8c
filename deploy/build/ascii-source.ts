/** An escape and what it escapes, so that no second backslash is put before it; or what is to be escaped. */
const escapedOrForeign = /\\[^]|[^\0-\x7f]/g;

/**
 * The same program in ASCII alone. V8 keeps a source with one other character at two bytes each: for a bundle, 5 to 10 MB
 * of every process. What esbuild leaves unescaped are regular expressions and comments, where `\uXXXX` means the same.
 */
export const asciiSource = (source: string): string =>
  source.replace(escapedOrForeign, (found) =>
    found.at(-1)! > '\x7f' ? `\\u${hex(found.charCodeAt(found.length - 1))}` : found,
  );

const hex = (unit: number) => unit.toString(16).padStart(4, '0');
