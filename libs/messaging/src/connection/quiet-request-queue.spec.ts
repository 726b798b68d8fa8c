import { mock } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import RequestQueue from 'kafkajs/src/network/requestQueue/index.js';
import { quietRequestQueues } from './quiet-request-queue.ts';
import { throttleWhateverTheClock } from './steady-throttles.ts';

quietRequestQueues();
throttleWhateverTheClock();
afterEach(() => mock.restoreAll());

/** A queue with all the requests that it sent, and how often it looked for waiting ones. */
function queueWith(maxInFlightRequests: number | null) {
  const logger = { debug: () => undefined, warn: () => undefined };
  const names = { clientId: 'test', broker: 'b:1', logger };
  const queue = new RequestQueue({
    ...names,
    maxInFlightRequests,
    requestTimeout: 1_000,
    enforceRequestTimeout: false,
  });
  const sent: number[] = [];
  const look = queue.checkPendingRequests.bind(queue);
  let looks = 0;
  queue.checkPendingRequests = () => {
    looks += 1;
    look();
  };
  const push = (correlationId: number) => {
    const entry = { correlationId, resolve: () => undefined, reject: () => undefined };
    queue.push({ entry, expectResponse: true, sendRequest: () => sent.push(correlationId) });
  };
  return { queue, sent, push, looks: () => looks };
}

describe('a connection’s request queue', () => {
  it('arms no timer where nothing waits', async () => {
    const { queue, push, looks } = queueWith(null);
    push(1);
    queue.fulfillRequest({ correlationId: 1, payload: Buffer.alloc(0), size: 0 });
    await delay(50);
    expect([queue.throttleCheckTimeoutId, looks()]).toEqual([null, 1]);
  });

  it('sends what a throttle held back, when it ends, and is quiet again', async () => {
    const { queue, sent, push } = queueWith(null);
    queue.maybeThrottle(40);
    push(1);
    expect(sent).toEqual([]);
    await delay(100);
    expect([sent, queue.throttleCheckTimeoutId]).toEqual([[1], null]);
  });

  it('sends what a throttle held back also where the machine’s clock is set back meanwhile', async () => {
    const { queue, sent, push } = queueWith(null);
    queue.maybeThrottle(40);
    const hourAgo = Date.now() - 3_600_000;
    mock.method(Date, 'now', () => hourAgo);
    push(1);
    await delay(100);
    expect(sent).toEqual([1]);
  });

  it('holds back what is more than may be in flight, until one is answered', () => {
    const { queue, sent, push } = queueWith(1);
    queue.maybeThrottle(null);
    for (const each of [1, 2]) push(each);
    expect(sent).toEqual([1]);
    queue.fulfillRequest({ correlationId: 1, payload: Buffer.alloc(0), size: 0 });
    expect(sent).toEqual([1, 2]);
  });
});
