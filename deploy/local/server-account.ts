import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { ToldError } from '@paywright/platform/told-error';

/** Whom a server runs as, where it must not run as the one who starts it. */
export type Account = { readonly uid: number; readonly gid: number } | undefined;

/**
 * PostgreSQL refuses to run as root. There it runs as the owner of its data folder; before there is one as
 * `postgres`, if the system has that user, else as `nobody`.
 * @returns undefined if the current user will do
 */
export function serverAccount(dataDir: string): Account {
  if (process.getuid?.() !== 0) return undefined;
  if (existsSync(dataDir)) {
    const { uid, gid } = statSync(dataDir);
    if (uid !== 0) return { uid, gid };
  }
  const account = accountOf('postgres') ?? accountOf('nobody');
  if (!account)
    throw new ToldError('PostgreSQL does not run as root, and there is neither a user postgres nor nobody.');
  return account;
}

function accountOf(name: string): Account {
  const ask = (option: string) => spawnSync('id', [option, name], { encoding: 'utf8' });
  const [user, group] = [ask('-u'), ask('-g')];
  return user.status === 0 ? { uid: Number(user.stdout), gid: Number(group.stdout) } : undefined;
}

/**
 * How to run a program as that account: command, arguments, and options for spawn.
 * In a place where only root may enter, such as /root, the program keeps root's right to enter.
 */
export function withAccount(
  program: string,
  args: readonly string[],
  account: Account,
): [command: string, args: string[], credentials: { uid?: number; gid?: number }] {
  if (!account) return [program, [...args], {}];
  const dataDir = args[args.indexOf('-D') + 1] ?? program;
  if (canEnter(program) && canEnter(dataDir)) return [program, [...args], { ...account }];
  const rights = '+dac_override,+dac_read_search';
  const keeping = ['--clear-groups', `--inh-caps=${rights}`, `--ambient-caps=${rights}`];
  const as = [`--reuid=${account.uid}`, `--regid=${account.gid}`];
  return ['setpriv', [...as, ...keeping, program, ...args], {}];
}

/** Whether everyone may pass through all the folders above a path. */
function canEnter(path: string): boolean {
  const folder = dirname(path);
  if (folder === path) return true;
  return (statSync(folder).mode & 0o001) !== 0 && canEnter(folder);
}
