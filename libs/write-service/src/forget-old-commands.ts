import type { EventStore } from '@paywright/event-sourcing';
import type { Logger } from '@paywright/platform';

const everyMs = 60 * 60 * 1000;
/** Longer than the command topics keep a command, and than a client may repeat one. */
const keptMs = 7 * 24 * 60 * 60 * 1000;

/** Keeps the inbox from growing for ever. @returns the function that ends it */
export function forgetOldCommands(store: EventStore, logger: Logger): () => void {
  const forget = async (): Promise<void> => {
    try {
      const commands = await store.forgetCommandsOlderThan(keptMs);
      logger.debug({ commands }, 'Forgot old commands');
    } catch (error) {
      logger.warn({ error }, 'Could not forget old commands; tried again in an hour');
    }
  };
  const timer = setInterval(() => void forget(), everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
