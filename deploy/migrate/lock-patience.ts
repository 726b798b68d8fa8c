import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

/** How often a script is tried that needs a table which other transactions hold. */
export interface LockPatience {
  readonly attempts: number;
  readonly pauseMs: number;
  /** Takes a line a failed attempt. */
  readonly report: (line: string) => void;
}

/**
 * How long a script waits for a lock. What the services ask of the table waits behind it for as long, and then goes on. More than
 * the second (`deadlock_timeout`) after which an autovacuum makes way.
 */
export const lockTimeout = '2s';

/** Some five minutes, of the fifteen that the chart's job has. */
export const defaultPatience: LockPatience = { attempts: 60, pauseMs: 3_000, report: (line) => console.warn(line) };

const lockNotAvailable = '55P03';

/**
 * Runs what waits no longer than {@link lockTimeout} for a lock, again after each time that it did not get it.
 * @throws if it got none in all attempts, or fails otherwise
 */
export async function runWithPatience(
  run: () => Promise<unknown>,
  schema: string,
  { attempts, pauseMs, report }: LockPatience,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await run();
      return;
    } catch (error) {
      if (!(error instanceof pg.DatabaseError && error.code === lockNotAvailable)) throw error;
      const held = 'what it changes is locked by other transactions (pg_stat_activity has them)';
      if (attempt === attempts)
        throw new Error(
          `${held}, and was in all ${attempts} attempts. Nothing was changed. Run it again without them.`,
          {
            cause: error,
          },
        );
      report(`A migration of schema ${schema} waits: ${held}. Attempt ${attempt} of ${attempts}.`);
      await delay(pauseMs);
    }
  }
}
