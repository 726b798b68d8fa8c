import { runCommand } from './run-program.ts';
import { withServers } from './with-servers.ts';

/** As `runCommand`, of a command that works on database and broker. */
export const runOnServers = (usage: string, work: (env: NodeJS.ProcessEnv) => Promise<void>): Promise<void> =>
  runCommand(usage, () => withServers(process.env, work));
