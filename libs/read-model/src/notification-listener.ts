import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

const reconnectDelayMs = 1_000;

export interface Listening {
  readonly onNotification: (text: string) => void;
  /** The connection is gone: nobody knows what is missed from now on. */
  readonly onLost: () => void;
  /** Another one listens in its place. */
  readonly onReplaced: () => void;
}

/** Holds a connection that listens to a channel, and takes another one when it is lost. */
export class NotificationListener {
  readonly #pool: pg.Pool;
  readonly #channel: string;
  readonly #listening: Listening;
  readonly #stopped = new AbortController();
  #connection: pg.PoolClient | null = null;

  constructor(pool: pg.Pool, channel: string, listening: Listening) {
    this.#pool = pool;
    this.#channel = channel;
    this.#listening = listening;
  }

  /** @throws if the database cannot be reached now; a connection lost later is replaced */
  async start(): Promise<void> {
    const connection = await this.#pool.connect();
    connection.on('notification', ({ payload }) => this.#listening.onNotification(payload ?? ''));
    // Without a listener of its own an error of a connection in use would end the process.
    connection.on('error', () => void this.#replace(connection));
    try {
      await connection.query(`listen ${pg.escapeIdentifier(this.#channel)}`);
    } catch (error) {
      connection.release(true);
      throw error;
    }
    if (this.#stopped.signal.aborted) connection.release(true);
    else this.#connection = connection;
  }

  /** The connection is closed: one that still listens must not go back to the pool. */
  stop(): void {
    this.#stopped.abort();
    this.#connection?.release(true);
    this.#connection = null;
  }

  async #replace(lost: pg.PoolClient): Promise<void> {
    if (lost !== this.#connection) return;
    this.#connection = null;
    lost.release(true);
    this.#listening.onLost();
    while (!this.#stopped.signal.aborted) {
      await delay(reconnectDelayMs, undefined, { signal: this.#stopped.signal }).catch(() => {});
      if (this.#stopped.signal.aborted) return;
      try {
        await this.start();
        this.#listening.onReplaced();
        return;
      } catch {
        // Still away. Meanwhile those who wait poll.
      }
    }
  }
}
