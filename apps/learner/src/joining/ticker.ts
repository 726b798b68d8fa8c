import { inTransaction } from '@paywright/event-sourcing';
import type { OutgoingMessage } from '@paywright/messaging';
import type { Pool } from 'pg';
import { selectLastTick } from '../sql/learning-model.sql.ts';
import type { JoinedTime } from './joined-time.ts';
import type { Joiner } from './joiner.ts';
import type { ModelLogs } from './model-logs.ts';

const minuteMs = 60_000;

export interface TickerOptions {
  readonly pool: Pool;
  readonly joiner: Pick<Joiner, 'pass'>;
  readonly joinedTime: Pick<JoinedTime, 'look' | 'until'>;
  readonly logs: ModelLogs;
  readonly publish: (messages: readonly OutgoingMessage[]) => Promise<void>;
  /** Of all instances one ticks: the owner of a certain partition. */
  readonly isTurn: () => boolean;
}

/**
 * Lets time pass in the logs, a tick a minute, and for what waits: until when everything is joined, so that a log that
 * is read late learns the same.
 */
export class Ticker {
  readonly #options: TickerOptions;
  #lastTick: number | null = null;

  constructor(options: TickerOptions) {
    this.#options = options;
  }

  /** To be called every second or so. @returns whether there is more to do at once */
  async turn(): Promise<boolean> {
    const { pool, joiner, joinedTime, logs, publish, isTurn } = this.#options;
    await joinedTime.look();
    const { until } = joinedTime;
    if (until === null || !isTurn()) return false;
    const minute = Math.floor(until / minuteMs) * minuteMs;
    this.#lastTick ??= await this.#storedTick();
    if (minute > this.#lastTick) {
      await inTransaction(pool, async (transaction) => {
        const messages = await logs.ticks(transaction, minute);
        if (messages.length > 0) await publish(messages);
      });
      this.#lastTick = minute;
    }
    return joiner.pass(minute);
  }

  async #storedTick(): Promise<number> {
    const { rows } = await this.#options.pool.query<{ ticked_at: Date | null }>(selectLastTick);
    return rows[0]?.ticked_at?.getTime() ?? 0;
  }
}
