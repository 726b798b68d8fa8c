/** Files that are made from the code. Both resolve with what is wrong, a sentence each. */
export interface MadeFiles {
  readonly write: () => Promise<readonly string[]>;
  readonly check: () => Promise<readonly string[]>;
}

/**
 * Runs what a program that makes files was told: a typing error must not pass for a check.
 * @param tell is given each line for the standard error
 * @returns the exit status: 1 if something is wrong, 2 if it was told anything but `write` or `check`
 */
export async function writeOrCheck(
  [word, ...more]: readonly string[],
  program: string,
  files: MadeFiles,
  tell: (line: string) => void = console.error,
): Promise<number> {
  if ((word !== 'write' && word !== 'check') || more.length > 0) {
    tell(`Usage: node ${program} write|check`);
    return 2;
  }
  const faults = await files[word]();
  faults.forEach((fault) => tell(fault));
  return faults.length > 0 ? 1 : 0;
}
