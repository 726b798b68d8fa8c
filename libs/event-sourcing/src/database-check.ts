import type { Clock, HealthCheck } from '@paywright/platform';
import type { Pool } from 'pg';

const everyMs = 2_000;
/** A database that is back within seconds, as after a switch to a standby, is no reason to take work away. */
const toleratedMs = 15_000;

/** Whether the database answers, or has answered lately. */
export class DatabaseCheck implements HealthCheck {
  readonly name = 'database';
  readonly #pool: Pool;
  readonly #clock: Clock;
  #answeredAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(pool: Pool, clock: Clock) {
    this.#pool = pool;
    this.#clock = clock;
  }

  /** Asks once, then every two seconds. @throws if the first question is not answered */
  async start(): Promise<void> {
    await this.#ask();
    this.#timer = setInterval(() => void this.#ask().catch(() => undefined), everyMs);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  ready(): boolean | string {
    const silentMs = this.#clock.machineNow() - this.#answeredAt;
    return silentMs < toleratedMs || `no answer for ${Math.round(silentMs / 1000)} s`;
  }

  async #ask(): Promise<void> {
    await this.#pool.query('SELECT 1');
    this.#answeredAt = this.#clock.machineNow();
  }
}
