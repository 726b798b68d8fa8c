import { type Clock, SystemClock } from '@paywright/platform';
import kafkajs from 'kafkajs';
import Runner from 'kafkajs/src/consumer/runner.js';
import { causeOf, passesByWaiting } from './kafka-error.ts';

const { KafkaJSError } = kafkajs;
const { start, stop } = Runner.prototype;
const restMs = 1_000;
/** A crash so soon behind the last one is of the same trouble. */
const sameTroubleMs = 10_000;
/** Those that were told to end. */
const stopped = new WeakSet<Runner>();

/**
 * kafkajs 2.2.4 gives up a consumer for good by every error that it does not call retriable: a broker's error about
 * itself, or a lock of its own that was not had in time on a machine that is short of processors. Here final is what
 * waiting does not change, as it is at the start of a process, and what is no error of kafkajs's at all: behind that only
 * a new process is known to be whole.
 *
 * Nor does it know of one that is stopped while it joins its group, or whose last fetch fails: it has joined by then, or
 * begins anew when that fails, and goes on for as long as the process lives. Here it leaves, and begins nothing.
 */
export function startAgainBehindCrashes(): void {
  const rests = new CrashRests(new SystemClock());
  Runner.prototype.start = async function startToLast() {
    const { onCrash, consumerGroup } = this;
    this.onCrash = (error) => {
      if (stopped.has(this)) return consumerGroup.cluster.disconnect();
      return onCrash(passesUnseen(error) ? new PassingCrash(error) : rests.behind(consumerGroup.cluster, error));
    };
    await start.call(this);
    if (!this.running || !stopped.has(this)) return;
    await stop.call(this);
    await consumerGroup.cluster.disconnect();
  };
  Runner.prototype.stop = function stopForGood() {
    stopped.add(this);
    return stop.call(this);
  };
}

/** Whether kafkajs takes for final what passes by waiting. All others it sees as they are: it wants to know which connection was lost. */
export function passesUnseen(error: Error): boolean {
  const cause = causeOf(error);
  const isRestarted = error.name === 'KafkaJSNumberOfRetriesExceeded' || (cause as { retriable?: unknown }).retriable;
  return cause instanceof KafkaJSError && isRestarted !== true && passesByWaiting(error);
}

/**
 * kafkajs starts a consumer again after a tenth of a second where a connection was lost, however often. Where all of them
 * are lost at once, as behind a proxy while no broker runs, it would do nothing else.
 */
export class CrashRests {
  readonly #clock: Clock;
  readonly #crashedAt = new WeakMap<object, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @returns the error of the consumer's crash, with the rest that kafkajs is to take behind it */
  behind(consumer: object, error: Error & { retryTime?: number }): Error {
    const now = this.#clock.steadyNow();
    const isAgain = now - (this.#crashedAt.get(consumer) ?? -Infinity) < sameTroubleMs;
    this.#crashedAt.set(consumer, now);
    if (isAgain) error.retryTime ??= restMs;
    return error;
  }
}

class PassingCrash extends KafkaJSError {
  readonly retryTime = restMs;

  /** Without its cause: kafkajs would look for `retriable` there. */
  constructor(error: Error) {
    super(error.message, { retriable: true });
  }
}
