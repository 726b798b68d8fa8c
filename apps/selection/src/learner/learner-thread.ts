import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { Clock, Logger, Metrics } from '@paywright/platform';
import type { SelectionConfig } from '../config.ts';
import type { FromThread, Measured, ThreadData, ToThread } from './thread-messages.ts';

/** Of its young generation 8 MB are enough: what the process has only lies idle. */
const semiSpaceFlag = '--max-semi-space-size=4';
const clockEveryMs = 500;
const stopWithinMs = 3_500;
/** Behind a thread that died: the first pause, which doubles up to the last. */
const pauseMs = { first: 1_000, last: 60_000 } as const;

export interface LearnerThreadOptions {
  readonly config: SelectionConfig;
  /** The module that runs the learner when it is loaded as a thread. */
  readonly entry: URL;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/**
 * The learner on a thread of its own, so that no decision waits for what is being learned. One that dies is started
 * again: meanwhile models serve as they are.
 */
export class LearnerThread {
  readonly #options: LearnerThreadOptions;
  readonly #stopping = new AbortController();
  #worker: Worker | null = null;
  #running: Promise<void> = Promise.resolve();
  #clock: NodeJS.Timeout | undefined;

  constructor(options: LearnerThreadOptions) {
    this.#options = options;
  }

  /** Does not wait until it learns: serving does not need it. */
  start(): void {
    this.#running = this.#run();
    this.#clock = setInterval(() => this.#tellClock(), clockEveryMs);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    clearInterval(this.#clock);
    this.#tell({ kind: 'stop' });
    const overdue = new AbortController();
    const late = sleep(stopWithinMs, undefined, { signal: overdue.signal }).then(
      () => this.#worker?.terminate(),
      () => undefined,
    );
    await this.#running;
    overdue.abort();
    await late;
  }

  async #run(): Promise<void> {
    const { logger } = this.#options;
    for (let pause: number = pauseMs.first; !this.#stopping.signal.aborted; pause = Math.min(2 * pause, pauseMs.last)) {
      const startedAt = performance.now();
      await this.#runOnce().catch((error: unknown) => logger.error({ error }, 'The learner died and is started again'));
      if (performance.now() - startedAt > pauseMs.last) pause = pauseMs.first;
      await sleep(pause, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
    }
  }

  /** Resolves when the thread has ended. */
  async #runOnce(): Promise<void> {
    const { config, entry } = this.#options;
    const data: ThreadData = { config };
    // Heaps to come heed it alone; over a thread's own resourceLimits, the process's flag would prevail.
    setFlagsFromString(semiSpaceFlag);
    const worker = new Worker(entry, { workerData: data });
    this.#worker = worker;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    worker.on('message', (message: FromThread) => this.#hear(message));
    worker.on('error', reject);
    worker.on('exit', () => resolve());
    worker.on('online', () => this.#tellClock());
    try {
      await promise;
    } finally {
      this.#worker = null;
    }
  }

  #hear(message: FromThread): void {
    if (message.kind === 'ready') this.#options.logger.info({}, 'The learner reads');
    else for (const measured of message.measured) this.#mirror(measured);
  }

  /** The thread's metrics beside the process's own, as they were a few seconds ago. */
  #mirror({ name, help, labels, value }: Measured): void {
    const mirrored = name.startsWith('learn') ? name : `learner_${name}`;
    this.#options.metrics.gauge(mirrored, help, Object.keys(labels)).set(labels, value);
  }

  #tellClock(): void {
    const { clock } = this.#options;
    this.#tell({ kind: 'clock', offset: clock.now() - clock.machineNow() });
  }

  #tell(message: ToThread): void {
    this.#worker?.postMessage(message);
  }
}
