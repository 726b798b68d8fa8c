import { SystemClock } from '@paywright/platform';
import RequestQueue from 'kafkajs/src/network/requestQueue/index.js';

/** kafkajs has no other. */
const clock = new SystemClock();

/**
 * Where a broker slows a client down, kafkajs 2.2.4 sends nothing until the machine's clock shows a time. Where that is
 * set back by an hour, nothing is sent for an hour. Here the time passes whatever the clock shows.
 */
export function throttleWhateverTheClock(): void {
  RequestQueue.prototype.maybeThrottle = function throttleFor(milliseconds) {
    this.throttledUntil = Math.max(this.throttledUntil, clock.steadyNow() + (milliseconds ?? 0));
  };
  RequestQueue.prototype.canSendSocketRequestImmediately = function isFree() {
    const { inflight, maxInFlightRequests: most, throttledUntil } = this;
    return throttledUntil <= clock.steadyNow() && (most === null || inflight.size < most);
  };
}
