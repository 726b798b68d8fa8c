import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';

const folder = new URL('peers/', import.meta.url);
/** kafkajs' own, on Node 24: harmless. */
const execArgv = ['--disable-warning=TimeoutNegativeWarning'];

/** Installs the peers of bench/peers/package.json, once. */
export function installPeers(say: (line: string) => void): void {
  if (existsSync(new URL('node_modules/unleash-server', folder))) return;
  say('Installing the peers to compare with (bench/peers) …');
  execFileSync('npm', ['ci', '--prefix', folder.pathname, '--ignore-scripts', '--no-audit', '--no-fund'], {
    stdio: 'inherit',
  });
}

export interface Peer<Said> extends AsyncDisposable {
  /** What it told when it was ready, or done. */
  readonly said: Said;
}

/**
 * Runs a program of the bench or of its peers in a process of its own until it tells something.
 * @throws if it ends before
 */
export async function startProcess<Said>(
  file: URL,
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<Peer<Said>> {
  const child = fork(file, [...args], {
    env: { ...process.env, KAFKAJS_NO_PARTITIONER_WARNING: '1', ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv,
  });
  const ended = once(child, 'exit');
  const told = await Promise.race([once(child, 'message'), ended.then(() => null)]);
  if (told === null) throw new Error(`${file.pathname} ended with status ${child.exitCode}`);
  const [said] = told as [Said];
  return {
    said,
    [Symbol.asyncDispose]: async () => {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}

export const peerFile = (name: string): URL => new URL(name, folder);
