import { codeOf, untilAnswered } from '@paywright/platform';
import type { KafkaConnection } from './kafka-connection.ts';
import { causeOf, passesByWaiting } from './kafka-error.ts';

/** Between rounds of kafkajs's own tries, which take some 6 s. */
const pause = { firstMs: 1_000, lastMs: 1_000 };
/** Topics are made before anything starts: one that a patient question has not found will not come. */
const missing = 'UNKNOWN_TOPIC_OR_PARTITION';

/**
 * Asks brokers for what a start needs until one answers, however long that takes: they may go while it is under way,
 * though they were there in the beginning.
 * @param ask may be repeated
 * @throws what waiting does not change: brokers refuse the user, have a certificate of somebody else, or lack a topic;
 * the signal's reason
 */
export const untilReached = <T>({ logger }: KafkaConnection, ask: () => Promise<T>, until?: AbortSignal): Promise<T> =>
  untilAnswered(ask, {
    pause,
    passes: (error) => passesByWaiting(error) && codeOf(causeOf(error)) !== missing,
    until,
    onFailure: (error) => logger.warn({ error }, 'No broker answers yet: waiting for one'),
  });
