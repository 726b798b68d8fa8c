import { spawn, type ChildProcess } from 'node:child_process';
import { openSync } from 'node:fs';
import { ToldError } from '@paywright/platform/told-error';
import { tail } from './log-file.ts';
import type { ProcessGroup } from './process-group.ts';
import type { Started } from './supervisor.ts';

const readyMs = 120_000;
/** DEP0040 is Apple's client's. The image has the same. */
const nodeFlags = ['--disable-warning=DEP0040'];

export interface ServiceOptions {
  readonly name: string;
  /** Its bundle. */
  readonly main: string;
  readonly env: NodeJS.ProcessEnv;
  readonly logFile: string;
  readonly group: ProcessGroup;
}

/** Base addresses, as the service announced them. */
export interface ServiceAddresses {
  readonly management: string;
  readonly gateway?: string;
  readonly simulator?: string;
}

/** A process that ended before it said that it was ready. */
export class EndedEarly extends ToldError {
  /** What ended it; null if it ended itself. */
  readonly signal: NodeJS.Signals | null;

  constructor(message: string, signal: NodeJS.Signals | null) {
    super(message);
    this.signal = signal;
  }
}

/** Starts a service as a process of its own. Resolves when it says that it is ready. @throws EndedEarly, Error if it does not */
export async function startService(options: ServiceOptions): Promise<Started<ServiceAddresses>> {
  const { name, main, env, logFile, group } = options;
  const log = openSync(logFile, 'a');
  // A session of its own, so that Ctrl-C ends the services in order; the channel tells it if the launcher dies.
  const child = spawn(process.execPath, [...nodeFlags, main], {
    detached: true,
    env,
    stdio: ['ignore', log, log, 'ipc'],
  });
  group.add(child, name === 'gateway' ? 'gateway' : 'service');
  return { process: child, info: await announcement(child, options) };
}

function announcement(child: ChildProcess, { name, logFile }: ServiceOptions): Promise<ServiceAddresses> {
  const { promise, resolve, reject } = Promise.withResolvers<ServiceAddresses>();
  const told = (how: string) => `${name} ${how}; its log is ${logFile}:\n${tail(logFile)}`;
  const fail = (how: string) => reject(new ToldError(told(how)));
  const timer = setTimeout(() => {
    fail(`was not ready within ${readyMs / 1000} s`);
    child.kill('SIGKILL');
  }, readyMs);
  child.on('message', (message) => {
    const addresses = readAnnouncement(message);
    if (addresses) resolve(addresses);
  });
  child.once('exit', (status, signal) =>
    reject(new EndedEarly(told(`ended with ${signal ?? `status ${status}`} before it was ready`), signal)),
  );
  child.once('error', (error) => fail(`could not be started (${error.message})`));
  return promise.finally(() => clearTimeout(timer));
}

/** What libs/platform's announceReady sends. */
function readAnnouncement(message: unknown): ServiceAddresses | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  if (!('type' in message && message.type === 'ready' && 'management' in message)) return undefined;
  if (typeof message.management !== 'string') return undefined;
  const address = (value: unknown) => (typeof value === 'string' ? value : undefined);
  const gateway = 'gateway' in message ? address(message.gateway) : undefined;
  const simulator = 'simulator' in message ? address(message.simulator) : undefined;
  return {
    management: message.management,
    ...(gateway !== undefined && { gateway }),
    ...(simulator !== undefined && { simulator }),
  };
}
