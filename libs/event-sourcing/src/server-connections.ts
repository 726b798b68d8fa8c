import type { Pool, PoolClient } from 'pg';

/**
 * When the server was started, and since when it counts what it does: that begins anew also when it starts over because
 * one of its processes crashed, which loses commits that did not wait for the disk. Every role may ask both.
 */
const whichServer =
  'SELECT pg_postmaster_start_time()::text AS started, stats_reset::text AS counts_since FROM pg_stat_bgwriter';

interface ServerRow {
  readonly started: string;
  readonly counts_since: string | null;
}

/** A pool's connections to the server that it reaches now. Each is asked once which server that is. */
export class ServerConnections {
  readonly #pool: Pool;
  readonly #onOtherServer: () => void;
  readonly #epochs = new WeakMap<PoolClient, number>();
  #server: string | null = null;
  #epoch = 0;

  constructor(pool: Pool, onOtherServer: () => void) {
    this.#pool = pool;
    this.#onOtherServer = onOtherServer;
  }

  /** Rises with each connection that leads to another server than the one before. */
  get epoch(): number {
    return this.#epoch;
  }

  /** One that leads to another server than the newest is closed, though it may still answer. */
  async connect(): Promise<PoolClient> {
    for (;;) {
      const client = await this.#pool.connect();
      try {
        if ((await this.#epochOf(client)) === this.#epoch) return client;
      } catch (error) {
        client.release(true);
        throw error;
      }
      client.release(true);
    }
  }

  async #epochOf(client: PoolClient): Promise<number> {
    const known = this.#epochs.get(client);
    if (known !== undefined) return known;
    const server = await serverOf(client);
    const isOther = this.#server !== null && this.#server !== server;
    this.#server = server;
    if (isOther) {
      this.#epoch += 1;
      this.#onOtherServer();
    }
    this.#epochs.set(client, this.#epoch);
    return this.#epoch;
  }
}

async function serverOf(client: PoolClient): Promise<string> {
  const { rows } = await client.query<ServerRow>(whichServer);
  return JSON.stringify(rows);
}
