import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from './logger.ts';
import { Outage } from './outage.ts';

/** Work that is done over and over, one turn at a time. */
export interface PeriodicWork {
  readonly name: string;
  readonly pauseMs: number;
  /**
   * @param stopping aborted when no turn is to come any more, and this one should not take long
   * @returns whether there is more to do at once
   */
  readonly turn: (stopping: AbortSignal) => Promise<boolean>;
}

const words = {
  lasts: 'A turn of periodic work failed and is tried again',
  isOver: 'The turns of periodic work are done again',
};

/** Does the work until it is stopped; a turn that fails is told of and tried again. @returns the function that ends it */
export function periodically({ name, pauseMs, turn }: PeriodicWork, logger: Logger): () => Promise<void> {
  const stopping = new AbortController();
  const outage = new Outage(logger, words);
  const done = (async () => {
    while (!stopping.signal.aborted) {
      const more = await turn(stopping.signal).then(
        (isMore) => {
          outage.passed({ work: name });
          return isMore;
        },
        (error: unknown) => {
          outage.failed({ work: name, error });
          return false;
        },
      );
      if (!more) await sleep(pauseMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    }
  })();
  return () => {
    stopping.abort();
    return done;
  };
}
