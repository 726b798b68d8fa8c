import { setTimeout as delay } from 'node:timers/promises';
import { ToldError } from '@paywright/platform/told-error';
import pg from 'pg';

/** How often is tried what needs a table which other transactions hold. */
export interface LockPatience {
  /** Of all scripts of a run together. */
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

/** Some five minutes in all, of the fifteen that the chart's job has. */
export const defaultPatience: LockPatience = { attempts: 60, pauseMs: 3_000, report: (line) => console.warn(line) };

const lockNotAvailable = '55P03';

/** Runs a script of a schema. */
export type PatientRun = (run: () => Promise<unknown>, schema: string) => Promise<void>;

/**
 * Runs what waits no longer than {@link lockTimeout} for a lock, again after each time that it did not get it.
 * @returns what runs scripts so; it throws if one got none and no attempt is left, or fails otherwise
 */
export function runningPatiently({ attempts, pauseMs, report }: LockPatience): PatientRun {
  let waited = 0;
  return async (run, schema) => {
    for (;;) {
      try {
        await run();
        return;
      } catch (error) {
        if (!(error instanceof pg.DatabaseError && error.code === lockNotAvailable)) throw error;
        waited += 1;
        const held = 'what it changes is locked by other transactions (pg_stat_activity has them)';
        if (waited >= attempts) throw new ToldError(gaveUp(held, attempts), { cause: error });
        report(`A migration of schema ${schema} waits: ${held}. Attempt ${waited} of ${attempts}.`);
        await delay(pauseMs);
      }
    }
  };
}

const gaveUp = (held: string, attempts: number): string =>
  `${held}, and the ${attempts} attempts of all migrations are used up. This one has changed nothing. Run it again without them.`;
