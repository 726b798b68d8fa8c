import { groups } from '@paywright/contracts';
import { periodically, type Logger, type Metrics } from '@paywright/platform';
import type { Queryable } from '@paywright/read-model';
import { followedTopics } from '../projections.ts';
import { projectionName } from '../following/dead-letters.ts';
import { countBlockedKeys, countLetters } from './letter.sql.ts';

const everyMs = 15_000;

interface Count {
  readonly consumer: string;
  readonly open: number;
  readonly parked: number;
}

interface BlockedKeys {
  readonly topic: string;
  readonly keys: number;
}

/**
 * How many dead letters there are that somebody must act on, and how many keys stand still behind them. Each instance of
 * the projection counts all of them: take the greatest, not the sum.
 */
export class DeadLetterCounts {
  readonly #database: Queryable;
  readonly #open;
  readonly #parked;
  readonly #blocked;

  constructor(database: Queryable, metrics: Metrics) {
    this.#database = database;
    const help = 'Dead letters that nobody has acted on, as each instance counts all of them';
    this.#open = metrics.gauge('paywright_dead_letters_open', help, ['group']);
    this.#parked = metrics.gauge('paywright_dead_letters_parked', 'Records that wait behind them', ['group']);
    const blocked = 'Keys behind which records wait, as each instance counts all of them';
    this.#blocked = metrics.gauge('paywright_projection_blocked_keys', blocked, ['topic']);
  }

  async refresh(): Promise<void> {
    await this.#refreshLetters();
    await this.#refreshBlockedKeys();
  }

  /** @returns the function that ends it */
  keepFresh(logger: Logger): () => Promise<void> {
    const turn = async () => {
      await this.refresh();
      return false;
    };
    return periodically({ name: 'counting dead letters', pauseMs: everyMs, turn }, logger);
  }

  async #refreshLetters(): Promise<void> {
    const { rows } = await this.#database.query<Count>(countLetters);
    for (const group of Object.values(groups)) {
      const { open = 0, parked = 0 } = rows.find(({ consumer }) => consumer === group) ?? {};
      this.#open.set({ group }, open);
      this.#parked.set({ group }, parked);
    }
  }

  async #refreshBlockedKeys(): Promise<void> {
    const { rows } = await this.#database.query<BlockedKeys>(countBlockedKeys, [projectionName]);
    const keysOf = new Map(rows.map(({ topic, keys }) => [topic, keys]));
    for (const topic of followedTopics) this.#blocked.set({ topic }, keysOf.get(topic) ?? 0);
  }
}
