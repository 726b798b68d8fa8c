import { periodically, type Logger, type Metrics } from '@paywright/platform';
import type { Queryable } from '@paywright/read-model';
import { rowsCode } from '../rows-code.ts';
import { isOfOtherCode } from './requirements.ts';

const everyMs = 15_000;

/** Whether the read model holds rows as another version of the projection made them. */
export class RebuildDue {
  readonly #database: Queryable;
  readonly #logger: Logger;
  readonly #gauge;
  #isTold = false;
  #stop = async (): Promise<void> => undefined;

  constructor(database: Queryable, { metrics, logger }: { readonly metrics: Metrics; readonly logger: Logger }) {
    this.#database = database;
    this.#logger = logger;
    const help = '1 if the read model has rows of another version, and is to be rebuilt';
    this.#gauge = metrics.gauge('paywright_projection_rebuild_due', help);
  }

  async refresh(): Promise<void> {
    const isDue = await isOfOtherCode(this.#database);
    this.#gauge.set(isDue ? 1 : 0);
    if (isDue && !this.#isTold)
      this.#logger.warn({ code: rowsCode }, 'The read model is of another version: rebuild it');
    this.#isTold = isDue;
  }

  /** Looks every 15 s: a rebuild is done beside a projection that runs. */
  start(): void {
    const turn = async () => {
      await this.refresh();
      return false;
    };
    this.#stop = periodically({ name: 'whether a rebuild is due', pauseMs: everyMs, turn }, this.#logger);
  }

  stop(): Promise<void> {
    return this.#stop();
  }
}
