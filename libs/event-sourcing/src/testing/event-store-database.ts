import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { Client, type Pool } from 'pg';
import { createPool, type PoolOptions } from '../pool.ts';
import { eventStoreSettings } from '../postgres-event-store.ts';

const migrations = new URL('../../../../prisma/event-store/migrations/', import.meta.url);

export interface EventStoreDatabase extends AsyncDisposable {
  readonly pool: Pool;
  readonly databaseUrl: string;
  /** Another pool on the same streams, as another instance has it. */
  anotherPool(more?: Pick<PoolOptions, 'patienceMs'>): Pool;
}

/** A database of its own with an event store's tables, dropped at the end; on the server of TEST_DATABASE_URL if none is told. */
export async function eventStoreDatabase(
  schema = 'streams',
  server = process.env['TEST_DATABASE_URL'],
): Promise<EventStoreDatabase> {
  if (!server) throw new Error('TEST_DATABASE_URL is not set');
  const name = `event_store_${randomBytes(6).toString('hex')}`;
  await execute(server, `CREATE DATABASE ${name}`);
  const databaseUrl = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  await execute(databaseUrl, `CREATE SCHEMA ${schema}; SET search_path = ${schema}; ${migrationScript()}`);
  const pools: Pool[] = [];
  const anotherPool: EventStoreDatabase['anotherPool'] = (more = {}) => {
    const pool = createPool({ databaseUrl, schema, max: 8, settings: eventStoreSettings, ...more });
    pools.push(pool);
    return pool;
  };
  return {
    pool: anotherPool(),
    databaseUrl,
    anotherPool,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(pools.map((pool) => pool.end()));
      await execute(server, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

const migrationScript = (): string =>
  readdirSync(migrations, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
    .map((name) => readFileSync(new URL(`${name}/migration.sql`, migrations), 'utf8'))
    .join('\n');

async function execute(connectionString: string, sql: string): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
