import { tellingOf } from '@paywright/platform/told-error';
import { isHelpAsked } from './help-asked.ts';
import { UsageError } from './usage-error.ts';

/** 2 where what was asked for cannot be done, and 1 for all else: a variable that is wrong, or work that failed. */
export const statusOf = (error: unknown): number => (error instanceof UsageError ? 2 : 1);

/**
 * The whole of a program that a person or a job starts: what ends its work is told, and sets the status of the process.
 * @param work may set another status that the process is to end with
 */
export async function runProgram(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    console.error(tellingOf(error));
    process.exitCode = statusOf(error);
  }
}

/**
 * As `runProgram`, of a program that takes nothing but `--help`: a typing error must not start something that takes minutes,
 * or pass for a check.
 */
export const runCommand = (usage: string, work: () => Promise<void>): Promise<void> =>
  runProgram(async () => {
    if (isHelpAsked(process.argv.slice(2), usage)) console.log(usage);
    else await work();
  });
