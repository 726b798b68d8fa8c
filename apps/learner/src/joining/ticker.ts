import { inTransaction } from '@paywright/event-sourcing';
import type { OutgoingMessage } from '@paywright/messaging';
import type { Clock } from '@paywright/platform';
import type { Pool } from 'pg';
import { selectLastTick } from '../sql/learning-model.sql.ts';
import type { Joiner } from './joiner.ts';
import type { ModelLogs } from './model-logs.ts';

const minuteMs = 60_000;
/** So long no event: then time goes on by the clock, and everything that is to be joined has come. */
const quietMs = 5_000;

export interface TickerOptions {
  readonly pool: Pool;
  readonly joiner: Pick<Joiner, 'eventTime' | 'pass'>;
  readonly logs: ModelLogs;
  readonly publish: (messages: readonly OutgoingMessage[]) => Promise<void>;
  /** Of all instances one ticks: the owner of a certain partition. */
  readonly isTurn: () => boolean;
  readonly clock: Clock;
}

/**
 * Lets time pass in the logs, a tick a minute: the time of events, so that a log that is read late learns the same; the
 * clock's only while nothing happens.
 */
export class Ticker {
  readonly #options: TickerOptions;
  #lastTick: number | null = null;
  #seen = { eventTime: 0, at: Number.NEGATIVE_INFINITY };

  constructor(options: TickerOptions) {
    this.#options = options;
  }

  /** To be called every second or so. @returns whether there is more to do at once */
  async turn(): Promise<boolean> {
    const { pool, joiner, logs, publish, isTurn } = this.#options;
    if (!isTurn()) return false;
    const minute = Math.floor(this.#now() / minuteMs) * minuteMs;
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

  #now(): number {
    const { joiner, clock } = this.#options;
    const { eventTime } = joiner;
    const machineNow = clock.machineNow();
    if (eventTime !== this.#seen.eventTime || this.#seen.at === Number.NEGATIVE_INFINITY) {
      this.#seen = { eventTime, at: machineNow };
    }
    const isQuiet = machineNow - this.#seen.at >= quietMs;
    // A clock of one server may be ahead of another's: nothing is later than now.
    return isQuiet ? Math.max(eventTime, clock.now()) : Math.min(eventTime, clock.now() + minuteMs);
  }

  async #storedTick(): Promise<number> {
    const { rows } = await this.#options.pool.query<{ ticked_at: Date | null }>(selectLastTick);
    return rows[0]?.ticked_at?.getTime() ?? 0;
  }
}
