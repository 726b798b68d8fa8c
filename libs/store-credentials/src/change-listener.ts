import { escapeIdentifier, type Pool, type PoolClient } from 'pg';

/** Holds a connection of the pool that listens to a channel. Whoever uses it asks for it again and again. */
export class ChangeListener {
  readonly #pool: Pool;
  readonly #channel: string;
  readonly #onChange: () => void;
  #connection: PoolClient | null = null;
  #isStopped = false;

  constructor(pool: Pool, channel: string, onChange: () => void) {
    this.#pool = pool;
    this.#channel = channel;
    this.#onChange = onChange;
  }

  /**
   * Listens from now on, on another connection if the last one was lost. Stopped, it does nothing.
   * @throws if there is none to be had
   */
  async listen(): Promise<void> {
    if (this.#connection !== null || this.#isStopped) return;
    const connection = await this.#pool.connect();
    connection.on('notification', this.#onChange);
    // Without a listener of its own an error of a connection in use would end the process.
    connection.on('error', () => this.#forget(connection));
    connection.on('end', () => this.#forget(connection));
    try {
      await connection.query(`listen ${escapeIdentifier(this.#channel)}`);
    } catch (error) {
      connection.release(true);
      throw error;
    }
    if (this.#isStopped) connection.release(true);
    else this.#connection = connection;
  }

  /** The connection is closed: one that still listens must not go back to the pool. */
  stop(): void {
    this.#isStopped = true;
    if (this.#connection !== null) this.#forget(this.#connection);
  }

  #forget(connection: PoolClient): void {
    if (connection !== this.#connection) return;
    this.#connection = null;
    connection.release(true);
  }
}
