import { HarmfulTopics } from '@paywright/messaging/topics';
import { ConfigurationError } from '@paywright/platform';
import { DataInUse } from './data-lock.ts';
import { isHelpAsked } from './help-asked.ts';
import { UsageError } from './options.ts';
import { withServers } from './with-servers.ts';

/**
 * The whole of a command that works on database and broker and takes nothing but `--help`. The process ends with 2, and a
 * line, where the caller can mend it.
 */
export async function runOnServers(usage: string, work: (env: NodeJS.ProcessEnv) => Promise<void>): Promise<void> {
  try {
    if (isHelpAsked(process.argv.slice(2), usage)) console.log(usage);
    else await withServers(process.env, work);
  } catch (error) {
    const expected =
      error instanceof UsageError ||
      error instanceof DataInUse ||
      error instanceof HarmfulTopics ||
      error instanceof ConfigurationError;
    console.error(expected ? error.message : error);
    process.exitCode = expected ? 2 : 1;
  }
}
