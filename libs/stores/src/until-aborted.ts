import { StoreFault } from './store-fault.ts';

/**
 * The work's result, or a fault as soon as the signal aborts: for work that does not listen to signals.
 * @throws StoreFault 'unavailable' when the signal aborts; whatever the work throws before
 */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: abortion, reject } = Promise.withResolvers<never>();
  const giveUp = () => reject(new StoreFault('unavailable', 'The store did not answer in time.'));
  if (signal.aborted) giveUp();
  signal.addEventListener('abort', giveUp);
  try {
    return await Promise.race([work, abortion]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}
