import { periodically, type Clock, type Logger } from '@paywright/platform';

const everyMs = 60_000;
const stepRows = 1_000;

/** Rows that expire. `purge` deletes some of those that have, `limit` at most, and tells how many. */
export interface Expiring {
  purge(now: number, limit: number): Promise<number>;
}

/** Forgets what has expired: at once, and a minute after it was done, in steps. @returns the function that ends it */
export function purgeExpired(all: readonly Expiring[], clock: Clock, logger: Logger): () => Promise<void> {
  const turn = async (): Promise<boolean> => {
    let isMore = false;
    for (const rows of all) if ((await rows.purge(clock.now(), stepRows)) === stepRows) isMore = true;
    return isMore;
  };
  return periodically({ name: 'forgetting what has expired', pauseMs: everyMs, turn }, logger);
}
