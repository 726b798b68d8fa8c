import { isHelpAsked } from './help-asked.ts';
import { UsageError } from './options.ts';

/**
 * The whole of a command that takes nothing but `--help`: a typing error must not start something that takes minutes, or
 * pass for a check. The process ends with 2, and a line, where the caller can mend what went wrong.
 * @param work may set the status that the process is to end with
 */
export async function runCommand(
  usage: string,
  work: () => Promise<void>,
  canMend = (error: unknown): error is Error => error instanceof UsageError,
): Promise<void> {
  try {
    if (isHelpAsked(process.argv.slice(2), usage)) console.log(usage);
    else await work();
  } catch (error) {
    console.error(canMend(error) ? error.message : error);
    process.exitCode = canMend(error) ? 2 : 1;
  }
}
