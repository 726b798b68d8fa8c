/** How many letters of a name may be wrong, missing or too many, so that it passes for a slip: two where they are exchanged. */
const mostSlips = (name: string): number => (name.length < 12 ? 1 : 2);

/** A variable that is set and that nobody reads, and the one that it is probably meant to be, which is not set. */
export interface MisspeltVariable {
  readonly given: string;
  readonly meant: string;
}

/**
 * Of the variables that are set, those that are nearly one of `known` that is not: a letter or two are off, or its first or last
 * words are left out. Others are of no concern: programs that run beside each other share an environment.
 */
export function misspeltVariables(known: readonly string[], env: NodeJS.ProcessEnv): MisspeltVariable[] {
  const isSet = (name: string) => (env[name] ?? '').trim() !== '';
  const spellings = (name: string) => [name, `${name}_FILE`];
  const read = new Set(known.flatMap(spellings));
  const left = known.filter((name) => !spellings(name).some(isSet)).flatMap(spellings);
  const strangers = Object.keys(env).filter((name) => isSet(name) && !read.has(name));
  return strangers.flatMap((given) => {
    const meant = nearest(given.toUpperCase(), left);
    return meant === undefined ? [] : [{ given, meant }];
  });
}

/** What is to be said of it. Its value, which may be a secret, is not. */
export const misspeltLine = ({ given, meant }: MisspeltVariable): string =>
  `${given} is set, and nothing reads it. Is ${meant} meant, which is not set?`;

function nearest(given: string, names: readonly string[]): string | undefined {
  const near = names
    .map((name) => ({ name, slips: slipsBetween(given, name) }))
    .filter(({ name, slips }) => slips <= mostSlips(name) || isPartOf(given, name));
  return near.sort((one, other) => one.slips - other.slips)[0]?.name;
}

/** Of two words at least: PORT or KEY_FILE may be anybody's. */
function isPartOf(given: string, name: string): boolean {
  if (!given.replace(/_FILE$/, '').includes('_')) return false;
  return name.startsWith(`${given}_`) || name.endsWith(`_${given}`);
}

/** Levenshtein's distance: the fewest letters to be put in, taken out or replaced that make the one of the other. */
function slipsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [line, letter] of [...one].entries()) {
    const next = [line + 1];
    for (let column = 1; column <= other.length; column++) {
      const replaced = row[column - 1]! + (letter === other[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[column]! + 1, next[column - 1]! + 1));
    }
    row = next;
  }
  return row[other.length]!;
}
