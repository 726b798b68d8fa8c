import { ConfigurationError } from './config.ts';
import type { HealthCheck } from './management-server.ts';
import type { Logger } from './logger.ts';

interface ShutdownStep {
  readonly name: string;
  readonly run: () => Promise<void>;
  readonly timeoutMs: number;
}

/** Ctrl-C reaches a whole process group, and the launcher sends its own signal right after. */
const echoMs = 1_000;
const stepTimeoutMs = 4_000;

/**
 * The end of a process, in order. SIGTERM, SIGINT and the launcher's death run the steps one after the
 * other in the order they were given, each bounded, and exit with 0; another signal later than a second
 * after the first exits at once with 1. An uncaught error is logged and exits with 1.
 */
export class Lifecycle {
  readonly #logger: Logger;
  readonly #steps: ShutdownStep[] = [];
  readonly #stopping = new AbortController();
  #hasStarted = false;
  #stoppingSince: number | null = null;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Aborted when the end begins. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Adds a step behind those given before. One that fails or overruns is logged, and the next one runs. */
  onShutdown(name: string, run: () => Promise<void>, timeoutMs = stepTimeoutMs): void {
    this.#steps.push({ name, run, timeoutMs });
  }

  /** Ready from when the process has started until it begins to stop: put it first among the checks. */
  readiness(): HealthCheck {
    return { name: 'lifecycle', ready: () => this.#ready() };
  }

  /** All that takes work takes it. */
  started(): void {
    this.#hasStarted = true;
  }

  /** Takes over the process's signals. Call it before anything is opened. */
  install(): void {
    process.on('SIGTERM', () => this.#stop('SIGTERM'));
    process.on('SIGINT', () => this.#stop('SIGINT'));
    process.on('uncaughtException', (error) => {
      // What is to be mended needs no stack, also where it is found only once something is opened.
      if (error instanceof ConfigurationError) this.#logger.error({}, error.message);
      else this.#logger.error({ error }, 'Ended by an error that nobody caught');
      process.exit(1);
    });
    if (process.send === undefined) return;
    process.on('disconnect', () => this.#stop('the launcher is gone'));
  }

  #ready(): true | string {
    if (this.#stoppingSince !== null) return 'shutting down';
    return this.#hasStarted || 'starting';
  }

  #stop(reason: string): void {
    if (this.#stoppingSince === null) {
      this.#stoppingSince = performance.now();
      this.#logger.info({ reason }, 'Stopping');
      this.#stopping.abort(new Error(`The process stops: ${reason}`));
      void this.#runSteps().then(() => process.exit(0));
    } else if (reason.startsWith('SIG') && performance.now() - this.#stoppingSince > echoMs) {
      this.#logger.warn({ reason }, 'Told again to stop: leaving at once');
      process.exit(1);
    }
  }

  async #runSteps(): Promise<void> {
    for (const { name, run, timeoutMs } of this.#steps) {
      try {
        await within(timeoutMs, run());
        this.#logger.debug({ step: name }, 'Stopped a part');
      } catch (error) {
        this.#logger.error({ step: name, error }, 'A part did not stop in order');
      }
    }
  }
}

async function within(timeoutMs: number, work: Promise<void>): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`not done within ${timeoutMs} ms`)), timeoutMs);
  try {
    await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Where a process that is ready can be reached: base addresses, without a path. */
export interface ReadyAddresses {
  readonly management: string;
  readonly gateway?: string;
  readonly simulator?: string;
}

/** Tells the launcher, if one started this process, that it is ready: `{ type: 'ready', … }` over IPC. */
export function announceReady(addresses: ReadyAddresses): void {
  if (process.connected) process.send?.({ type: 'ready', ...addresses });
}
