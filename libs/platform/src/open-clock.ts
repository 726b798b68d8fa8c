import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { SystemClock, type Clock } from './clock.ts';
import { ConfigurationError } from './config.ts';
import type { ManagementRoute } from './management-server.ts';
import { SimulatedClock } from './simulated-clock.ts';

/** The clock of a process. It is right from `start` on. */
export interface OpenedClock {
  readonly clock: Clock;
  /** What the management server has to serve for it: hand the opened clock over to that. */
  readonly route: ManagementRoute | null;
  /**
   * Resolves when the clock is right. Under simulation that is when the simulator has told the time, and knows where
   * to tell of its changes; so the management server must run by then.
   * @throws Error if the simulator is not found within a minute
   */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Where the simulator tells a process that the time has moved; on its management server. */
export const simulatedClockPath = '/simulation/clock';

/** What the simulator says, and is told, of the time: milliseconds ahead of the machine's clock. */
const ClockOffset = z.object({ offset: z.number().nonnegative() });

const patienceMs = 60_000;
const pauseMs = 200;
const heartbeatMs = 1_000;
const askTimeoutMs = 5_000;

/**
 * The machine's clock or, where SIMULATION_URL is set, one that the simulator moves.
 * @throws ConfigurationError in production with SIMULATION_URL
 */
export function openClock({ NODE_ENV, SIMULATION_URL }: ClockConfig): OpenedClock {
  if (SIMULATION_URL === undefined)
    return { clock: new SystemClock(), route: null, start: async () => undefined, stop: async () => undefined };
  if (NODE_ENV === 'production')
    throw new ConfigurationError([
      { variable: 'SIMULATION_URL', problem: 'moves the clock, which NODE_ENV=production refuses' },
    ]);
  return new FollowedClock(SIMULATION_URL);
}

export interface ClockConfig {
  readonly NODE_ENV: string;
  readonly SIMULATION_URL?: string | undefined;
}

/** Follows the simulator's clock: asks at the start, is told of each change, and asks again every second. */
class FollowedClock implements OpenedClock {
  readonly clock = new SimulatedClock();
  readonly route: ManagementRoute;
  readonly #simulator: string;
  readonly #stopped = new AbortController();
  #management: string | null = null;
  #heartbeat: Promise<void> = Promise.resolve();

  constructor(simulationUrl: string) {
    this.#simulator = simulationUrl.replace(/\/$/, '');
    this.route = {
      path: simulatedClockPath,
      post: (body) => ({ offset: this.clock.moveTo(ClockOffset.parse(body).offset) }),
      servedAt: (url) => (this.#management = url),
    };
  }

  async start(): Promise<void> {
    const end = performance.now() + patienceMs;
    while (!(await this.#ask())) {
      if (this.#stopped.signal.aborted) return;
      if (performance.now() > end) throw new Error('The simulator at SIMULATION_URL did not answer for a minute.');
      await this.#rest(pauseMs);
    }
    this.#heartbeat = this.#beat();
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#heartbeat;
  }

  /** Either side may have been started again: then the other learns of it here. */
  async #beat(): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      await this.#rest(heartbeatMs);
      if (!this.#stopped.signal.aborted) await this.#ask();
    }
  }

  async #ask(): Promise<boolean> {
    if (this.#management === null)
      throw new Error('The clock must be handed to startManagementServer before it starts.');
    try {
      const answer = await fetch(`${this.#simulator}/clock/followers`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ management: this.#management, offset: this.clock.offset }),
        signal: AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(askTimeoutMs)]),
      });
      this.clock.moveTo(ClockOffset.parse(await answer.json()).offset);
      return true;
    } catch {
      return false; // The simulator is being started: it is asked again.
    }
  }

  async #rest(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#stopped.signal }).catch(() => undefined);
  }
}
