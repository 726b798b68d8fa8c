import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { hasEnded } from './ending.ts';

/** A process that was started and is ready, with what is known of it, such as its addresses. */
export interface Started<Info> {
  readonly process: ChildProcess;
  readonly info: Info;
}

export interface SupervisorOptions<Info> {
  /** For people: "gateway", "PostgreSQL". */
  readonly name: string;
  /** Starts it anew; resolves once it is ready, and rejects with the reason if it does not get there. */
  readonly start: () => Promise<Started<Info>>;
  /** Called whenever the process became ready or died. */
  readonly onChange: () => void;
  readonly say: (line: string) => void;
  /** Aborted when everything ends: from then on a death is no accident. */
  readonly ending: AbortSignal;
}

const firstBackOffMs = 200;
const longestBackOffMs = 5_000;
/** One that ran this long was well: its next death starts with the shortest back-off again. */
const wellAfterMs = 30_000;

/** Keeps a process running: starts it again when it dies, and says so, until it is stopped. */
export class Supervisor<Info> {
  readonly #options: SupervisorOptions<Info>;
  #current: Started<Info> | undefined;
  #backOffMs = firstBackOffMs;

  constructor(options: SupervisorOptions<Info>) {
    this.#options = options;
  }

  get name(): string {
    return this.#options.name;
  }

  /** Undefined while it is not ready. */
  get current(): Started<Info> | undefined {
    return this.#current;
  }

  /** The first start. @throws if it does not get ready: what cannot start once needs someone to look. */
  async start(): Promise<Info> {
    const started = await this.#options.start();
    this.#adopt(started);
    return started.info;
  }

  #adopt(started: Started<Info>): void {
    const since = performance.now();
    this.#current = started;
    this.#options.onChange();
    const onEnd = () => {
      if (performance.now() - since > wellAfterMs) this.#backOffMs = firstBackOffMs;
      this.#current = undefined;
      if (!this.#options.ending.aborted) void this.#startAgain(started.process);
    };
    if (hasEnded(started.process)) onEnd();
    else started.process.once('exit', onEnd);
  }

  async #startAgain(dead: ChildProcess): Promise<void> {
    const { name, say, onChange, start, ending } = this.#options;
    const how = dead.signalCode ?? `status ${dead.exitCode}`;
    say(`${name} (process ${dead.pid}) ended with ${how}; starting it again in ${this.#backOffMs} ms`);
    onChange();
    while (!ending.aborted) {
      await delay(this.#backOffMs);
      this.#backOffMs = Math.min(this.#backOffMs * 2, longestBackOffMs);
      if (ending.aborted) return;
      try {
        const started = await start();
        say(`${name} is back (process ${started.process.pid})`);
        return this.#adopt(started);
      } catch (error) {
        if (ending.aborted) return;
        say(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  }
}
