import { parseArgs } from 'node:util';
import { UsageError } from './options.ts';

/**
 * Whether a command that takes nothing else was asked for its help.
 * @throws UsageError that ends with its usage
 */
export function isHelpAsked(args: readonly string[], usage: string): boolean {
  try {
    return parseArgs({ args: [...args], options: { help: { type: 'boolean', default: false } } }).values.help;
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
  }
}
