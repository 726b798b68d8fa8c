/** Files that are made from the code. Both resolve with what is wrong, a sentence each. */
export interface MadeFiles {
  readonly write: () => Promise<readonly string[]>;
  readonly check: () => Promise<readonly string[]>;
}

/** Where a program says something. */
export interface Output {
  readonly log: (line: string) => void;
  readonly error: (line: string) => void;
}

/**
 * Runs what a program that makes files was told: a typing error must not pass for a check.
 * @returns the exit status: 1 if something is wrong, 2 if it was told anything but `write`, `check` or, after them, `--help`
 */
export async function writeOrCheck(
  args: readonly string[],
  usage: string,
  files: MadeFiles,
  { log, error }: Output = console,
): Promise<number> {
  const [word, ...more] = args;
  if (more.join() === '--help' || args.join() === '--help') {
    log(usage);
    return 0;
  }
  if ((word !== 'write' && word !== 'check') || more.length > 0) {
    error(`${more.length > 0 ? `It takes nothing of ${more.join(' ')}.` : 'It takes write or check.'}\n\n${usage}`);
    return 2;
  }
  const faults = await files[word]();
  faults.forEach((fault) => error(fault));
  return faults.length > 0 ? 1 : 0;
}
