import { produceBackOff, waitBefore } from '../back-off.ts';
import { isRetriable } from './kafka-error.ts';

const patienceMs = 60_000;

/**
 * Asks the broker again while it answers that it cannot say now: a partition has no leader yet, as after its
 * creation or a restart. kafkajs repeats that for messages, and not for an admin's questions.
 * @throws the last answer, after a minute, or one that asking again does not change
 */
export async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  const end = performance.now() + patienceMs;
  for (let attempt = 0; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      if (!isRetriable(error) || performance.now() > end) throw error;
    }
    await waitBefore(attempt, produceBackOff);
  }
}
