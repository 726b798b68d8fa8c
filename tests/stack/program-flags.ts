import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';

/** The flags that a program was given. One that it does not know ends it with status 2, and is told with those that it does. */
export function programFlags<const Options extends ParseArgsOptionsConfig>(options: Options, usage: string) {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    process.exit(2);
  }
}
