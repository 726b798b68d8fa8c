import { Clock, periodically, type Logger } from '@paywright/platform';
import type { Pool } from 'pg';
import { untilDatabaseAnswers } from './database-check.ts';

const everyMs = 10_000;

/**
 * The time by the database's clock, which all instances have in common: what one stamps, others compare with what they
 * stamp. Of what a store says at two moments the later counts; of a person, what came after the erasure. So an instance
 * whose own clock is seconds or hours off must not make old, or new, what it hands on. Moved as simulated time is. Before
 * the database was asked it is the instance's own.
 */
export class DatabaseClock extends Clock {
  readonly #pool: Pool;
  readonly #clock: Clock;
  /** How far the database's time is ahead of our steady one. */
  #ahead: number | null = null;
  #stop = async (): Promise<void> => {};

  constructor(pool: Pool, clock: Clock) {
    super();
    this.#pool = pool;
    this.#clock = clock;
  }

  /**
   * Asks until the database answers, then every ten seconds: a machine that was paused is late until then.
   * @throws what waiting does not change, and the reason of the signal, which ends the wait
   */
  async start(logger: Logger, until?: AbortSignal): Promise<void> {
    await untilDatabaseAnswers(() => this.ask(), logger, until);
    const turn = () => this.ask().then(() => false);
    this.#stop = periodically({ name: 'common time', pauseMs: everyMs, turn }, logger);
  }

  stop(): Promise<void> {
    return this.#stop();
  }

  /**
   * Asks the database what time it is. An answer may be off by half of the time that it took, and so may what is known: that
   * stays unless it is off by more. Else time could go back in a busy moment, and make old what a store says right then.
   */
  async ask(): Promise<void> {
    const asked = this.#clock.steadyNow();
    const { rows } = await this.#pool.query<{ now: string }>(
      'select round(extract(epoch from clock_timestamp()) * 1000) as now',
    );
    const answered = this.#clock.steadyNow();
    const ahead = Number(rows[0]!.now) - Math.round((asked + answered) / 2);
    if (this.#ahead === null || Math.abs(ahead - this.#ahead) > answered - asked) this.#ahead = ahead;
  }

  override now(): number {
    if (this.#ahead === null) return this.#clock.now();
    const moved = this.#clock.now() - this.#clock.machineNow();
    return this.machineNow() + moved;
  }

  /** The database's own. */
  override machineNow(): number {
    return this.#ahead === null ? this.#clock.machineNow() : this.#clock.steadyNow() + this.#ahead;
  }

  override steadyNow(): number {
    return this.#clock.steadyNow();
  }
}
