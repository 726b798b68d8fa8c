import { isPassingFault, Outage, type Clock, type HealthCheck, type Logger } from '@paywright/platform';
import type { Pool } from 'pg';
import { addressRefusal } from './address-refusal.ts';

const everyMs = 2_000;
/** A database that is back within seconds, as after a switch to a standby, is no reason to take work away. */
const toleratedMs = 15_000;
const startPause = { firstMs: 1_000, lastMs: 1_000 };
const words = { lasts: 'The database does not answer yet: waiting for it', isOver: 'The database answers' };

/**
 * Asks the database for what a start needs until it answers. That it has answered once is not enough: the next question may
 * need a connection of its own, and where the whole product starts at once that may take longer than one is waited for.
 * @param ask may be repeated
 * @param until ends the wait
 * @throws ConfigurationError where the address is to be mended: the database refuses the user, there is none, its certificate
 * is of somebody else. What else waiting does not change; and the reason of the signal, which ends the wait
 */
export function untilDatabaseAnswers<T>(ask: () => Promise<T>, logger: Logger, until?: AbortSignal): Promise<T> {
  const patience = { pause: startPause, passes: isPassingFault, refusalOf: addressRefusal, until };
  return new Outage(logger, words).untilAnswered(ask, patience);
}

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
   * @throws as untilDatabaseAnswers does
   */
  async start(until?: AbortSignal): Promise<void> {
    await untilDatabaseAnswers(() => this.#ask(), this.#logger, until);
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
