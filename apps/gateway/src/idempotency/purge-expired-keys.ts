import type { Clock, Logger } from '@paywright/platform';
import type { IdempotencyStore } from './idempotency-store.ts';

const everyMs = 60_000;
const stepRows = 1_000;

/** Forgets expired keys once a minute, in steps. @returns what ends it */
export function purgeExpiredKeys(store: IdempotencyStore, clock: Clock, logger: Logger): () => void {
  let running = false;
  const purge = async () => {
    if (running) return;
    running = true;
    try {
      while ((await store.purge(clock.now(), stepRows)) === stepRows);
    } catch (error) {
      logger.warn({ error }, 'Expired idempotency keys stay until the next minute');
    } finally {
      running = false;
    }
  };
  const timer = setInterval(() => void purge(), everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
