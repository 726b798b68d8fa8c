import RequestQueue from 'kafkajs/src/network/requestQueue/index.js';

/** How soon waiting requests are looked at again, in milliseconds: kafkajs's own interval. */
const lookAgainMs = 10;

/**
 * kafkajs 2.2.4 looks for waiting requests by a timer that arms itself again whether or not any wait, with a negative
 * time: each connection wakes the process a thousand times a second (tulios/kafkajs#1704), 3 % of a core a service,
 * and Node 24 warns of it. Here the timer is armed only while requests wait; those that wait for others in flight
 * are sent when these are answered.
 */
export function quietRequestQueues(): void {
  RequestQueue.prototype.scheduleCheckPendingRequests = function scheduleCheckPendingRequests() {
    if (this.pending.length === 0 || this.throttleCheckTimeoutId !== null) return;
    const check = () => {
      this.throttleCheckTimeoutId = null;
      this.checkPendingRequests();
    };
    this.throttleCheckTimeoutId = setTimeout(check, lookAgainMs);
  };
}
