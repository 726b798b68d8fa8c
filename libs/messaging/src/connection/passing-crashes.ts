import kafkajs from 'kafkajs';
import Runner from 'kafkajs/src/consumer/runner.js';
import { causeOf, passesByWaiting } from './kafka-error.ts';

const { KafkaJSError } = kafkajs;
const { start } = Runner.prototype;
const restMs = 1_000;

/**
 * kafkajs 2.2.4 gives up a consumer for good by every error that it does not call retriable: a broker's error about
 * itself, or a lock of its own that was not had in time on a machine that is short of processors. Here final is what
 * waiting does not change, as it is at the start of a process, and what is no error of kafkajs's at all: behind that only
 * a new process is known to be whole.
 */
export function startAgainBehindCrashes(): void {
  Runner.prototype.start = function startToLast() {
    const { onCrash } = this;
    this.onCrash = (error) => onCrash(passesUnseen(error) ? new PassingCrash(error) : error);
    return start.call(this);
  };
}

/** Whether kafkajs takes for final what passes by waiting. All others it sees as they are: it wants to know which connection was lost. */
export function passesUnseen(error: Error): boolean {
  const cause = causeOf(error);
  const isRestarted = error.name === 'KafkaJSNumberOfRetriesExceeded' || (cause as { retriable?: unknown }).retriable;
  return cause instanceof KafkaJSError && isRestarted !== true && passesByWaiting(error);
}

class PassingCrash extends KafkaJSError {
  readonly retryTime = restMs;

  /** Without its cause: kafkajs would look for `retriable` there. */
  constructor(error: Error) {
    super(error.message, { retriable: true });
  }
}
