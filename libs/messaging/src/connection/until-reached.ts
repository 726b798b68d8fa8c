import { codeOf, ConfigurationError, Outage, type BackOff } from '@paywright/platform';
import { brokersRefusal } from './brokers-refusal.ts';
import type { KafkaConnection } from './kafka-connection.ts';
import { causeOf, passesByWaiting } from './kafka-error.ts';

/** Between rounds of kafkajs's own tries, which take some 6 s. */
const betweenRounds: BackOff = { firstMs: 1_000, lastMs: 1_000 };
const words = { lasts: 'No broker answers yet: waiting for one', isOver: 'A broker answers' };
/** With so many in a row, a defect passes no longer for the work of a connection that was lost at the wrong moment. */
const mostDefects = 10;

/** What the language throws where a program is wrong. */
const isDefect = (error: Error): boolean =>
  [TypeError, ReferenceError, RangeError, SyntaxError].some((kind) => error instanceof kind) && codeOf(error) === '';

/**
 * Asks brokers for what a start needs until one answers, however long that takes: they may go while it is under way,
 * though they were there in the beginning.
 * @param ask may be repeated
 * @throws ConfigurationError where the brokers refuse the user, have a certificate of somebody else, or lack a topic. What else
 * waiting does not change: a defect that comes again and again; the signal's reason
 */
export function untilReached<T>(
  { logger }: Pick<KafkaConnection, 'logger'>,
  ask: () => Promise<T>,
  until?: AbortSignal,
  pause: BackOff = betweenRounds,
): Promise<T> {
  let defects = 0;
  const passes = (error: unknown): boolean => {
    if (error instanceof ConfigurationError) return false;
    const cause = causeOf(error);
    defects = isDefect(cause) ? defects + 1 : 0;
    return defects < mostDefects && passesByWaiting(error);
  };
  return new Outage(logger, words).untilAnswered(ask, { pause, passes, refusalOf: brokersRefusal, until });
}
