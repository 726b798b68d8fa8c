import { HarmfulTopics } from '@paywright/messaging/topics';
import { ConfigurationError } from '@paywright/platform';
import { DataInUse } from './data-lock.ts';
import { UsageError } from './options.ts';
import { runCommand } from './run-command.ts';
import { withServers } from './with-servers.ts';

/** As `runCommand`, of a command that works on database and broker. */
export const runOnServers = (usage: string, work: (env: NodeJS.ProcessEnv) => Promise<void>): Promise<void> =>
  runCommand(usage, () => withServers(process.env, work), canMend);

const canMend = (error: unknown): error is Error =>
  error instanceof UsageError ||
  error instanceof DataInUse ||
  error instanceof HarmfulTopics ||
  error instanceof ConfigurationError;
