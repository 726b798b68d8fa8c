import { isHelpAsked } from './help-asked.ts';
import { UsageError } from './options.ts';

/**
 * The whole of a contributor's command that takes nothing but `--help`: a typing error must not start something that takes
 * minutes, or pass for a check.
 * @param work resolves with the status that the process is to end with
 */
export async function runCommand(usage: string, work: () => Promise<number>): Promise<void> {
  try {
    if (isHelpAsked(process.argv.slice(2), usage)) console.log(usage);
    else process.exitCode = await work();
  } catch (error) {
    console.error(error instanceof UsageError ? error.message : error);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}
