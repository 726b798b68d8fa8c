import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';

/** The flags that a program was given. One that it does not know ends it with status 2, and is told with those that it does. */
export function programFlags<const Options extends ParseArgsOptionsConfig>(options: Options, usage: string) {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    refuseFlags(error instanceof Error ? error.message : String(error), usage);
    process.exit();
  }
}

/** Says what is wrong with the flags, and which there are; the program is to end, with status 2. */
export function refuseFlags(problem: string, usage: string): void {
  console.error(`${problem}\n\n${usage}`);
  process.exitCode = 2;
}

/** Whether a flag's value is a whole number. @param least 0 or 1 */
export const isWholeNumber = (text: string, least = 1): boolean => /^\d{1,9}$/.test(text) && Number(text) >= least;
