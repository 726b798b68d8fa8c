import { measurePool, type Logger, type Metrics } from '@paywright/platform';
import { Pool, type PoolClient } from 'pg';
import { gatherWrites } from './gathered-writes.ts';

export interface PoolOptions {
  readonly databaseUrl: string;
  /** The Postgres schema of the service: its search path. */
  readonly schema: string;
  /** How many connections at most. */
  readonly max: number;
  /** Server settings of its connections, beside the search path. */
  readonly settings?: Readonly<Record<string, string>>;
  /** How long a query may wait for a connection, in milliseconds; 2,000 if absent. */
  readonly waitMs?: number;
  /** How long a statement may take, in milliseconds; 5,000 if absent, and as long as it takes if null. */
  readonly patienceMs?: number | null;
}

type ConnectCallback = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (error?: boolean) => void,
) => void;

/**
 * Gives every failure to get a connection a code. The driver's own errors of a wait that was too long have none, and
 * would pass for a defect of whoever asked.
 */
class CodedPool extends Pool {
  override connect(): Promise<PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<PoolClient> | void {
    if (callback) return super.connect((error, client, release) => callback(error && coded(error), client, release));
    return super.connect().catch((error: unknown) => {
      throw error instanceof Error ? coded(error) : error;
    });
  }
}

const coded = (error: Error): Error => ('code' in error ? error : Object.assign(error, { code: 'ETIMEDOUT' }));

/** A pool of connections that give up, rather than wait, where the database does not answer. */
export function createPool(options: PoolOptions): Pool {
  const { databaseUrl, schema, max, settings = {}, waitMs = 2_000, patienceMs = 5_000 } = options;
  if (!/^[a-z][a-z0-9_]*$/.test(schema)) throw new TypeError('a schema is named by lower-case letters');
  const pool = new CodedPool({
    connectionString: databaseUrl,
    options: Object.entries({ search_path: schema, ...(patienceMs === null && { statement_timeout: 0 }), ...settings })
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    application_name: `paywright-${schema}`,
    max,
    // What is asked at once on one connection is sent at once, and answered in that order.
    pipeline: true,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000, // by itself a system asks for the first time after two hours
    connectionTimeoutMillis: waitMs, // for a new connection, and for a free one
    idleTimeoutMillis: 0, // a warm connection has its statements prepared
    ...(patienceMs !== null && {
      statement_timeout: patienceMs,
      query_timeout: patienceMs + 1_000, // above the server's own, for a server that is not heard of any more
    }),
  });
  pool.on('error', () => undefined); // one that breaks while idle is replaced
  // One that breaks in use tells its query; but it may say so again, and unheard that would end the process.
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    gatherWrites(client.connection.stream);
  });
  return pool;
}

export interface OpenPoolOptions extends PoolOptions {
  /** What metrics and log name it by. */
  readonly name: string;
}

/** A pool of a process: metrics show it, and the log tells of connections that broke while idle. */
export function openPool(
  { name, ...options }: OpenPoolOptions,
  { logger, metrics }: { readonly logger: Logger; readonly metrics: Metrics },
): Pool {
  const pool = createPool(options);
  pool.on('error', (error) => logger.warn({ error, pool: name }, 'A database connection broke and is replaced'));
  measurePool(metrics, name, pool);
  return pool;
}
