import { readArguments } from './usage-error.ts';

/**
 * Whether a command that takes nothing else was asked for its help.
 * @throws UsageError that ends with its usage
 */
export const isHelpAsked = (args: readonly string[], usage: string): boolean =>
  readArguments({ args: [...args], options: { help: { type: 'boolean', default: false } } }, usage).values.help;
