import type { Consumer } from 'kafkajs';

/** Resolves once the group confirms this member and its assignment, or when a signal ends the wait. */
export async function nextHeartbeat(consumer: Consumer, until: AbortSignal): Promise<void> {
  if (until.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  until.addEventListener('abort', () => resolve(), { once: true });
  const forget = consumer.on(consumer.events.HEARTBEAT, () => resolve());
  await promise.finally(forget);
}
