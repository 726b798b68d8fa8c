import { execFileSync, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProjectRoot } from '@paywright/deploy/migrate/database-schemas.ts';
import { z } from 'zod';

/** What the control plane's go.mod and KEDA's ask for. */
export const oldestGo = '1.26';

const moduleFolder = join(import.meta.dirname, 'control-plane');
const kept = join(findProjectRoot(), '.data', 'control-plane');

/** KEDA builds in its own module alone: that replaces modules, which a module that needs it would not do. */
const keda = { module: 'github.com/kedacore/keda/v2@v2.21.0', sum: 'h1:R6z2HZvstK4RLUMxroNACzBj74xGxt3kG59b5Xc+Xps=' };

/** The paths of what is run. */
export interface Programs {
  readonly etcd: string;
  readonly apiserver: string;
  readonly controllerManager: string;
  readonly scheduler: string;
  readonly helm: string;
}

export interface KedaPrograms {
  readonly operator: string;
  readonly adapter: string;
  readonly webhooks: string;
  /** Manifests of its definitions. */
  readonly definitions: string;
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

/** @throws CannotBuild */
export async function kedaPrograms({ say, ending }: Building): Promise<KedaPrograms> {
  const folder = await builtOnce(join(kept, 'keda'), `${keda.module} ${keda.sum}`, async (target) => {
    say('Building KEDA with Go: once, some 10 to 60 minutes …');
    const sources = join(target, 'sources');
    await copyKeda(sources, ending);
    for (const name of ['operator', 'adapter', 'webhooks'])
      await go(['build', '-mod=readonly', smaller, '-o', join(target, name), `./cmd/${name}`], {
        cwd: sources,
        ending,
      });
    cpSync(join(sources, 'config', 'crd', 'bases'), join(target, 'definitions'), { recursive: true });
    rmSync(sources, { recursive: true });
  });
  return {
    operator: join(folder, 'operator'),
    adapter: join(folder, 'adapter'),
    webhooks: join(folder, 'webhooks'),
    definitions: join(folder, 'definitions'),
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

const Download = z.looseObject({ Dir: z.string(), Sum: z.string() });

/** Its sources, where they may be built: Go keeps its own copy so that nothing is written into it. */
async function copyKeda(target: string, ending: AbortSignal): Promise<void> {
  const printed = await go(['mod', 'download', '-json', keda.module], { cwd: kept, ending });
  const { Dir, Sum } = Download.parse(JSON.parse(printed));
  if (Sum !== keda.sum) throw new CannotBuild(`${keda.module} is not what it was: its sum is ${Sum}, not ${keda.sum}.`);
  cpSync(Dir, target, { recursive: true });
  execFileSync('chmod', ['-R', 'u+w', target]);
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
