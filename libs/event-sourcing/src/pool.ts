import { Pool } from 'pg';

export interface PoolOptions {
  readonly databaseUrl: string;
  /** The Postgres schema of the service: its search path. */
  readonly schema: string;
  /** How many connections at most. */
  readonly max: number;
  /** Server settings of its connections, beside the search path. */
  readonly settings?: Readonly<Record<string, string>>;
  /** How long a statement may take, in milliseconds; 5,000 if absent. */
  readonly patienceMs?: number;
  /** Told of a connection that broke while idle; the pool replaces it. */
  readonly onIdleError?: (error: Error) => void;
}

/** A pool of connections that give up, rather than wait, where the database does not answer. */
export function createPool(options: PoolOptions): Pool {
  const { databaseUrl, schema, max, settings = {}, patienceMs = 5_000, onIdleError = () => undefined } = options;
  if (!/^[a-z][a-z0-9_]*$/.test(schema)) throw new TypeError('a schema is named by lower-case letters');
  const pool = new Pool({
    connectionString: databaseUrl,
    options: Object.entries({ search_path: schema, ...settings })
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    application_name: `paywright-${schema}`,
    max,
    keepAlive: true,
    connectionTimeoutMillis: 2_000, // also the wait for a free connection
    idleTimeoutMillis: 0, // a warm connection has its statements prepared
    statement_timeout: patienceMs,
    query_timeout: patienceMs + 1_000, // above the server's own, for a server that is not heard of any more
  });
  pool.on('error', onIdleError);
  // One that breaks in use tells its query; but it may say so again, and unheard that would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
