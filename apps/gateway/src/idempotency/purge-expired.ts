import type { Clock, Logger } from '@paywright/platform';

const everyMs = 60_000;
const stepRows = 1_000;

/** Rows that expire. `purge` deletes some of those that have, `limit` at most, and tells how many. */
export interface Expiring {
  purge(now: number, limit: number): Promise<number>;
}

/** Forgets what has expired once a minute, in steps. @returns what ends it */
export function purgeExpired(all: readonly Expiring[], clock: Clock, logger: Logger): () => void {
  let running = false;
  const purge = async () => {
    if (running) return;
    running = true;
    try {
      for (const rows of all) while ((await rows.purge(clock.now(), stepRows)) === stepRows);
    } catch (error) {
      logger.warn({ error }, 'What has expired stays until the next minute');
    } finally {
      running = false;
    }
  };
  const timer = setInterval(() => void purge(), everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
