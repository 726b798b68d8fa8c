import { isPassingFault, untilAnswered, type Clock, type HealthCheck, type Logger } from '@paywright/platform';
import type { Pool } from 'pg';

const everyMs = 2_000;
/** A database that is back within seconds, as after a switch to a standby, is no reason to take work away. */
const toleratedMs = 15_000;
const startPause = { firstMs: 1_000, lastMs: 1_000 };

/** @returns what asks the database whether it is there; it never rejects */
export const databaseAnswers = (pool: Pool) => (): Promise<boolean> =>
  pool.query('SELECT 1').then(
    () => true,
    () => false,
  );

/** Whether the database answers, or has answered lately. */
export class DatabaseCheck implements HealthCheck {
  readonly name = 'database';
  readonly #pool: Pool;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #answeredAt: number | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(pool: Pool, clock: Clock, logger: Logger) {
    this.#pool = pool;
    this.#clock = clock;
    this.#logger = logger;
  }

  /**
   * Asks until the database answers, then every two seconds.
   * @throws what waiting does not change: it refuses the user, there is no such database, its certificate is of somebody
   * else. And the reason of the signal, which ends the wait
   */
  async start(until?: AbortSignal): Promise<void> {
    const onFailure = (error: unknown) =>
      this.#logger.warn({ error }, 'The database does not answer yet: waiting for it');
    await untilAnswered(() => this.#ask(), { pause: startPause, passes: isPassingFault, until, onFailure });
    this.#timer = setInterval(() => void this.#ask().catch(() => undefined), everyMs);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  ready(): boolean | string {
    if (this.#answeredAt === null) return 'no answer yet';
    const silentMs = this.#clock.steadyNow() - this.#answeredAt;
    return silentMs < toleratedMs || `no answer for ${Math.round(silentMs / 1000)} s`;
  }

  async #ask(): Promise<void> {
    await this.#pool.query('SELECT 1');
    this.#answeredAt = this.#clock.steadyNow();
  }
}
