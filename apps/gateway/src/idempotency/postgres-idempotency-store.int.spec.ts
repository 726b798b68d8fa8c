import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { fingerprintOf } from './canonical-json.ts';
import { describeIdempotencyStore } from './idempotency-store.contract.ts';
import { PostgresIdempotencyStore } from './postgres-idempotency-store.ts';
import { PostgresJsonbAnswers } from './postgres-jsonb-answers.ts';

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

/** Else the fault suite would prove nothing by catching it. */
it('keeps an answer in other bytes where it is broken on purpose', async () => {
  const store = new PostgresJsonbAnswers(pool);
  const scope = { appId: 1, method: 'POST', path: '/v2/profiles', key: 'key' };
  const times = { now: 0, leaseUntil: 1, expiresAt: 2 };
  const claim = await store.claim({ scope, fingerprint: fingerprintOf({}), commandId: randomUUID(), ...times });
  await store.answer(claim!, { status: 201, body: '{"ok":true,"id":1}', profileId: null, followUp: null });
  expect(await store.find(scope, 0)).toMatchObject({ answer: { status: 201, body: '{"id": 1, "ok": true}' } });
});
