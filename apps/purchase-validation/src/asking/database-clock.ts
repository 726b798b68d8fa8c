import { Clock } from '@paywright/platform';
import type { Pool } from 'pg';

/**
 * The time by the database's clock, which all instances have in common: of what a store says at two moments the later
 * counts, so an instance whose own clock is hours ahead must not make old what others are told behind it. Moved as
 * simulated time is. Before the database was asked it is the instance's own.
 */
export class DatabaseClock extends Clock {
  readonly #pool: Pool;
  readonly #clock: Clock;
  /** How far the database's time is ahead of our steady one. */
  #ahead: number | null = null;

  constructor(pool: Pool, clock: Clock) {
    super();
    this.#pool = pool;
    this.#clock = clock;
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
    return this.#clock.steadyNow() + this.#ahead + moved;
  }

  override machineNow(): number {
    return this.#clock.machineNow();
  }

  override steadyNow(): number {
    return this.#clock.steadyNow();
  }
}
