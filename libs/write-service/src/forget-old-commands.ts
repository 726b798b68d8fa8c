import type { EventStore } from '@paywright/event-sourcing';
import { periodically, type Logger } from '@paywright/platform';

const everyMs = 60 * 60 * 1000;
/** Longer than the command topics keep a command, and than a client may repeat one. */
const keptMs = 7 * 24 * 60 * 60 * 1000;

/**
 * Keeps the inbox from growing for ever: begins at once, since a service that is started anew each hour would never come to
 * it otherwise, and again an hour after it was done. @returns the function that ends it
 */
export function forgetOldCommands(
  store: Pick<EventStore, 'forgetCommandsOlderThan'>,
  logger: Logger,
): () => Promise<void> {
  const turn = async (): Promise<boolean> => {
    const commands = await store.forgetCommandsOlderThan(keptMs);
    logger.debug({ commands }, 'Forgot old commands');
    return commands > 0;
  };
  return periodically({ name: 'forgetting old commands', pauseMs: everyMs, turn }, logger);
}
