import { untilAnswered } from '@paywright/platform';
import { escapeIdentifier, type Pool, type PoolClient } from 'pg';

const reconnectPause = { firstMs: 1_000, lastMs: 1_000 };

/** What is done with what a channel tells. */
export interface Listening {
  readonly onNotification: (text: string) => void;
  /** The connection is gone: nobody knows what is missed from now on. */
  readonly onLost?: () => void;
  /** Another one listens in its place. */
  readonly onReplaced: () => void;
}

/** Holds a connection of the pool that listens to a channel, and takes another one when it is lost. */
export class PostgresListener {
  readonly #pool: Pool;
  readonly #channel: string;
  readonly #listening: Listening;
  readonly #stopped = new AbortController();
  #connection: PoolClient | null = null;

  constructor(pool: Pool, channel: string, listening: Listening) {
    this.#pool = pool;
    this.#channel = channel;
    this.#listening = listening;
  }

  /** Once it listens, nothing. @throws if the database cannot be reached now; a connection lost later is replaced */
  async start(): Promise<void> {
    if (this.#listens) return;
    const connection = await this.#pool.connect();
    connection.on('notification', ({ payload }) => this.#listening.onNotification(payload ?? ''));
    // Without a listener of its own an error of a connection in use would end the process.
    connection.on('error', () => void this.#replace(connection));
    connection.on('end', () => void this.#replace(connection));
    try {
      await connection.query(`listen ${escapeIdentifier(this.#channel)}`);
    } catch (error) {
      connection.release(true);
      throw error;
    }
    if (this.#stopped.signal.aborted || this.#listens) connection.release(true);
    else this.#connection = connection;
  }

  /** The connection is closed: one that still listens must not go back to the pool. */
  stop(): void {
    this.#stopped.abort();
    this.#connection?.release(true);
    this.#connection = null;
  }

  get #listens(): boolean {
    return this.#connection !== null;
  }

  async #replace(lost: PoolClient): Promise<void> {
    if (lost !== this.#connection) return;
    this.#connection = null;
    lost.release(true);
    this.#listening.onLost?.();
    const until = this.#stopped.signal;
    try {
      await untilAnswered(() => this.start(), { pause: reconnectPause, passes: () => true, until });
    } catch {
      return; // stopped meanwhile
    }
    this.#listening.onReplaced();
  }
}
