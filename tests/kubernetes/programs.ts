import { execFileSync, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProjectRoot } from '@paywright/deploy/migrate/database-schemas.ts';

/** Of which version the Go has to be that builds it. */
export const oldestGo = '1.24';

const moduleFolder = join(import.meta.dirname, 'control-plane');
const kept = join(findProjectRoot(), '.data', 'control-plane');

/** The paths of what is run. */
export interface Programs {
  readonly etcd: string;
  readonly apiserver: string;
  readonly controllerManager: string;
  readonly scheduler: string;
  readonly helm: string;
}

export interface Building {
  readonly say: (line: string) => void;
  /** Ends it before its time. */
  readonly ending: AbortSignal;
}

/** Something that has to be there is not: the message says what, and how to get it. */
export class CannotBuild extends Error {
  override readonly name = 'CannotBuild';
}

/** Builds what is not there yet, once for each list of versions. @throws CannotBuild */
export async function controlPlanePrograms({ say, ending }: Building): Promise<Programs> {
  const [modules, sums] = ['go.mod', 'go.sum'].map((name) => readFileSync(join(moduleFolder, name), 'utf8'));
  const flags = linkerFlags(kubernetesVersion(modules!));
  const folder = await builtOnce(join(kept, 'kubernetes'), [modules, sums, flags].join('\0'), async (target) => {
    say('Building etcd, Kubernetes and Helm with Go: once, some 10 to 60 minutes, 5 GB of downloads and caches …');
    await go(['install', '-mod=readonly', flags, 'tool'], { cwd: moduleFolder, env: { GOBIN: target }, ending });
  });
  return {
    etcd: join(folder, 'server'), // as the folder of its package is called
    apiserver: join(folder, 'kube-apiserver'),
    controllerManager: join(folder, 'kube-controller-manager'),
    scheduler: join(folder, 'kube-scheduler'),
    helm: join(folder, 'helm'),
  };
}

/** Such as 1.34.4. */
export function kubernetesVersion(modules: string): string {
  const [, version] = /^\s*k8s\.io\/kubernetes v(\S+)/m.exec(modules) ?? [];
  if (version === undefined) throw new Error('The control plane’s go.mod names no k8s.io/kubernetes.');
  return version;
}

/** Without what a debugger needs. */
const smaller = '-ldflags=-s -w';

/** @param version what Kubernetes says of itself, and Helm compares with what the chart asks for */
function linkerFlags(version: string): string {
  const [major, minor] = version.split('.');
  const said = { gitVersion: `v${version}`, gitMajor: major, gitMinor: minor };
  const set = Object.entries(said).map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`);
  return [smaller, ...set].join(' ');
}

/** The folder that `build` filled for these versions, now or before. */
async function builtOnce(folder: string, versions: string, build: (target: string) => Promise<void>): Promise<string> {
  const mark = join(folder, 'built');
  const digest = createHash('sha256').update(versions).digest('hex');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === digest) return folder;
  requireGo();
  const fresh = `${folder}.${randomBytes(4).toString('hex')}`;
  mkdirSync(fresh, { recursive: true });
  try {
    await build(fresh);
    writeFileSync(join(fresh, 'built'), digest);
    rmSync(folder, { recursive: true, force: true });
    renameSync(fresh, folder);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return folder;
}

function requireGo(): void {
  const version = goVersion();
  if (version !== null && isAtLeast(version, oldestGo)) return;
  throw new CannotBuild(
    [
      `The control plane is built with Go ${oldestGo} or newer, and ${version === null ? '`go` is not on the PATH' : `\`go\` is ${version}`}.`,
      'Install it (go.dev, or your package manager), and give the command again.',
    ].join('\n'),
  );
}

function goVersion(): string | null {
  try {
    return execFileSync('go', ['env', 'GOVERSION'], { encoding: 'utf8', cwd: findProjectRoot() }).trim();
  } catch {
    return null;
  }
}

/** @param version as Go tells it, such as go1.26.8 */
export function isAtLeast(version: string, oldest: string): boolean {
  const numbers = (text: string) => (/\d+(?:\.\d+)*/.exec(text)?.[0] ?? '0').split('.').map(Number);
  const [have, need] = [numbers(version), numbers(oldest)];
  for (const [index, number] of need.entries()) {
    const own = have[index] ?? 0;
    if (own !== number) return own > number;
  }
  return true;
}

interface GoOptions {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly ending: AbortSignal;
}

/** @returns what it printed @throws CannotBuild with what it says */
async function go(args: readonly string[], { cwd, env, ending }: GoOptions): Promise<string> {
  const child = spawn('go', args, {
    ...{ cwd, signal: ending },
    // Without C, so that no compiler of it has to be there. Of a checkout its state is no part of the programs.
    env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-buildvcs=false', GOWORK: 'off', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  let complaints = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.once('error', reject);
  child.once('close', resolve);
  if ((await promise) !== 0) throw new CannotBuild(`Go could not build the control plane:\n${complaints.trim()}`);
  return printed;
}
