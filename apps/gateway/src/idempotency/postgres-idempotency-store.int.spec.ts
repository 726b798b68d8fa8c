import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { describeIdempotencyStore } from './idempotency-store.contract.ts';
import { PostgresIdempotencyStore } from './postgres-idempotency-store.ts';

const migration = new URL(
  '../../../../prisma/gateway/migrations/20260101000000_create_gateway/migration.sql',
  import.meta.url,
);
const schema = `gateway_${randomUUID().replaceAll('-', '')}`;
const database = { connectionString: process.env['TEST_DATABASE_URL'] };

let pool: Pool;
beforeAll(async () => {
  pool = new Pool({ ...database, max: 20, options: `-c search_path=${schema}` });
  await pool.query(`CREATE SCHEMA ${schema}`);
  await pool.query(readFileSync(migration, 'utf8'));
});
beforeEach(() => pool.query('TRUNCATE idempotency_key'));
afterAll(async () => {
  await pool.query(`DROP SCHEMA ${schema} CASCADE`);
  await pool.end();
});

describeIdempotencyStore('idempotency keys in Postgres', () => new PostgresIdempotencyStore(pool));
