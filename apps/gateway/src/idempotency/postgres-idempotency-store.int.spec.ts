import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { describeIdempotencyStore } from './idempotency-store.contract.ts';
import { PostgresIdempotencyStore } from './postgres-idempotency-store.ts';

const migrations = new URL('../../../../prisma/gateway/migrations/', import.meta.url);
const scripts = readdirSync(migrations, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => readFileSync(new URL(`${name}/migration.sql`, migrations), 'utf8'));
const schema = `gateway_${randomUUID().replaceAll('-', '')}`;
const database = { connectionString: process.env['TEST_DATABASE_URL'] };

let pool: Pool;
beforeAll(async () => {
  pool = new Pool({ ...database, max: 20, options: `-c search_path=${schema}` });
  await pool.query(`CREATE SCHEMA ${schema}`);
  for (const script of scripts) await pool.query(script);
});
beforeEach(() => pool.query('TRUNCATE idempotency_key'));
afterAll(async () => {
  await pool.query(`DROP SCHEMA ${schema} CASCADE`);
  await pool.end();
});

describeIdempotencyStore('idempotency keys in Postgres', () => new PostgresIdempotencyStore(pool));
