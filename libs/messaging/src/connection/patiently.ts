import { untilAnswered } from '@paywright/platform';
import { produceBackOff } from '../back-off.ts';
import { isRetriable } from './kafka-error.ts';

const patience = { pause: produceBackOff, lastsMs: 60_000, passes: isRetriable };

/**
 * Asks the broker again while it answers that it cannot say now: a partition has no leader yet, as after its
 * creation or a restart. kafkajs repeats that for messages, and not for an admin's questions.
 * @throws the last answer, after a minute, or one that asking again does not change; the signal's reason
 */
export const patiently = <T>(ask: () => Promise<T>, until?: AbortSignal): Promise<T> =>
  untilAnswered(ask, { ...patience, until });
