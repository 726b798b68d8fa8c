import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

const reconnectDelayMs = 1_000;

/** Holds a connection that listens to a channel, and takes another one when it is lost. */
export class NotificationListener {
  readonly #pool: pg.Pool;
  readonly #channel: string;
  readonly #onNotification: (text: string) => void;
  readonly #stopped = new AbortController();
  #connection: pg.PoolClient | null = null;

  constructor(pool: pg.Pool, channel: string, onNotification: (text: string) => void) {
    this.#pool = pool;
    this.#channel = channel;
    this.#onNotification = onNotification;
  }

  /** @throws if the database cannot be reached now; a connection lost later is replaced */
  async start(): Promise<void> {
    const connection = await this.#pool.connect();
    connection.on('notification', ({ payload }) => this.#onNotification(payload ?? ''));
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
    while (!this.#stopped.signal.aborted) {
      await delay(reconnectDelayMs, undefined, { signal: this.#stopped.signal }).catch(() => {});
      if (this.#stopped.signal.aborted) return;
      try {
        await this.start();
        this.#onNotification(''); // who knows what was missed
        return;
      } catch {
        // Still away. Meanwhile those who wait poll.
      }
    }
  }
}
