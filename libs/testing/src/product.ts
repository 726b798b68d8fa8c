import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Runtime } from '@paywright/deploy/local/runtime-file.ts';
import { temporaryFolder } from './embedded.ts';

const readyMs = 180_000;
const stopMs = 20_000;

export interface ProductOptions {
  /** How many of each service, `{ gateway: 2 }`; one if not named. */
  readonly instances?: Readonly<Record<string, number>>;
  /** Only these services. */
  readonly only?: readonly string[];
  /** Added to this process's; a DATABASE_URL or KAFKA_BROKERS is used instead of a server of its own. */
  readonly env?: NodeJS.ProcessEnv;
  /** Kept by the caller; a temporary one, thrown away at the end, if left out. */
  readonly dataDir?: string;
}

/** The whole product, running as `npm start` runs it. */
export interface Product extends AsyncDisposable {
  readonly dataDir: string;
  /** Base address of the first gateway. */
  readonly gateway: string;
  /** What the launcher tells of itself now: addresses and pids change when something is started again. */
  runtime(): Runtime;
  /** What the launcher has printed so far. */
  output(): string;
  /** Of the launcher. */
  readonly pid: number;
  /**
   * Sends a signal to a service or server ("selection", "kafka"), SIGKILL if none is given.
   * @returns the pid it went to
   */
  kill(name: string, signal?: NodeJS.Signals, instance?: number): number;
  /** Waits until all of that name run and are ready, other than `formerPid`. */
  untilBack(name: string, formerPid: number): Promise<void>;
  /** Ends it in order. @returns the launcher's exit status */
  stop(): Promise<number | null>;
}

/** Starts the product on data of its own and waits until it is ready. */
export async function startProduct(options: ProductOptions = {}): Promise<Product> {
  const dataDir = options.dataDir ?? temporaryFolder();
  const launcher = spawn(process.execPath, ['deploy/local/start.ts', ...flagsOf(options)], {
    env: { ...process.env, GATEWAY_PORT: '0', ...options.env, PAYWRIGHT_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [launcher.stdout, launcher.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const runtimeFile = join(dataDir, 'runtime.json');
  const runtime = () => {
    const parsed: Runtime = JSON.parse(readFileSync(runtimeFile, 'utf8'));
    return parsed;
  };
  await untilReady(
    launcher,
    () => existsSync(runtimeFile) && output.includes('is ready'),
    () => output,
  );

  const stop = async () => {
    const status = await stopLauncher(launcher);
    if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
    return status;
  };
  return {
    dataDir,
    gateway: runtime().gateway ?? '',
    runtime,
    output: () => output,
    pid: launcher.pid!,
    kill: (name, signal = 'SIGKILL', instance = 0) => {
      const pid = pidsOf(runtime(), name)[instance];
      if (pid === undefined) throw new Error(`${name} (instance ${instance}) does not run.`);
      process.kill(pid, signal);
      return pid;
    },
    untilBack: (name, formerPid) => untilBack(runtime, name, formerPid),
    stop,
    [Symbol.asyncDispose]: async () => void (await stop()),
  };
}

function flagsOf({ instances = {}, only }: ProductOptions): string[] {
  const counts = Object.entries(instances).map(([name, count]) => `${name}=${count}`);
  return [...(only ? ['--only', only.join()] : []), ...(counts.length > 0 ? ['--instances', counts.join()] : [])];
}

const pidsOf = ({ services, servers }: Runtime, name: string): readonly number[] =>
  [...services, ...servers].filter((process) => process.name === name).map(({ pid }) => pid);

async function untilReady(launcher: ChildProcess, isReady: () => boolean, output: () => string): Promise<void> {
  const deadline = performance.now() + readyMs;
  while (!isReady()) {
    if (launcher.exitCode !== null) throw new Error(`The product did not start:\n${output()}`);
    if (performance.now() > deadline) {
      await stopLauncher(launcher);
      throw new Error(`The product was not ready within ${readyMs / 1000} s:\n${output()}`);
    }
    await delay(50);
  }
}

async function untilBack(runtime: () => Runtime, name: string, formerPid: number): Promise<void> {
  const count = pidsOf(runtime(), name).length;
  const deadline = performance.now() + readyMs;
  for (;;) {
    const pids = pidsOf(runtime(), name);
    if (!pids.includes(formerPid) && pids.length >= Math.max(count, 1)) return;
    if (performance.now() > deadline) throw new Error(`${name} did not come back within ${readyMs / 1000} s.`);
    await delay(20);
  }
}

async function stopLauncher(launcher: ChildProcess): Promise<number | null> {
  if (launcher.exitCode !== null || launcher.signalCode !== null) return launcher.exitCode;
  const ended = new Promise<void>((resolve) => launcher.once('exit', () => resolve()));
  launcher.kill('SIGTERM');
  const timer = setTimeout(() => launcher.kill('SIGKILL'), stopMs);
  await ended;
  clearTimeout(timer);
  return launcher.exitCode;
}
