import { parseArgs, type ParseArgsConfig } from 'node:util';
import { ToldError } from '@paywright/platform/told-error';

/** What was asked for cannot be done; the message says what can. */
export class UsageError extends ToldError {
  override readonly name = 'UsageError';
}

/**
 * The flags and the rest of a command line.
 * @throws UsageError that ends with the usage
 */
export function readArguments<const Config extends ParseArgsConfig>(config: Config, usage: string) {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
  }
}
