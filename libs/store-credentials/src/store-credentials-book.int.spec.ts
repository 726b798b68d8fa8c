import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPool } from '@paywright/event-sourcing';
import { createLogger, ManualClock, Metrics, Sealing } from '@paywright/platform';
import { testDatabase, type TestDatabase } from '@paywright/testing';
import { credentialsKeepingContract } from './credentials-keeping.contract.ts';
import { StoreCredentialsBook } from './store-credentials-book.ts';
import { storeCredentialsPurpose, storeCredentialsSchema } from './stored-credentials.ts';
import { exampleCredentials, secretsOfExample } from './testing/example-credentials.ts';

const masterKey = 'm'.repeat(32);
const { stripe } = exampleCredentials;

/** A process of its own: pool, book and log. */
async function processOn({ url }: TestDatabase, key = masterKey) {
  const lines: string[] = [];
  const logger = createLogger({ service: 'test', level: 'debug' }, { write: (line) => void lines.push(line) });
  const clock = new ManualClock(Date.UTC(2026, 10, 21));
  const pool = createPool({ databaseUrl: url, schema: storeCredentialsSchema, max: 3 });
  const metrics = new Metrics();
  const sealing = new Sealing(key, storeCredentialsPurpose);
  const book = new StoreCredentialsBook({ pool, sealing, clock, logger, metrics });
  await book.start();
  const stop = async () => {
    await book.stop();
    await pool.end();
  };
  return { book, clock, lines, pool, metrics, [Symbol.asyncDispose]: stop };
}

async function eventually(isSo: () => boolean, withinMs: number): Promise<void> {
  const end = performance.now() + withinMs;
  while (!isSo() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(isSo()).toBe(true);
}

const nameOf = ({ url }: TestDatabase) => new URL(url).pathname.slice(1);

/** Ends what the books have open, and waits until they noticed. Asked by way of another database: it may be closed. */
async function cutConnections(of: TestDatabase): Promise<void> {
  await database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = $1 and application_name = 'paywright-store_credentials'`,
    [nameOf(of)],
  );
  await new Promise((resolve) => setTimeout(resolve, 200));
}

let database: TestDatabase;
let first: Awaited<ReturnType<typeof processOn>>;
beforeAll(async () => {
  database = await testDatabase('store-credentials');
  first = await processOn(database);
});
afterAll(async () => {
  await first[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

describe('the book over a table', () => credentialsKeepingContract(() => first));

describe('two books', () => {
  it('tell each other at once what is put and removed', async () => {
    await using second = await processOn(database);
    await second.book.put(100, 'stripe', stripe);
    await eventually(() => first.book.find(100, 'stripe')?.apiKey === stripe.apiKey, 1_000);
    expect(first.book.summaries(100).stripe?.setAt).toBe(second.clock.now());
    await first.book.remove(100, 'stripe');
    await eventually(() => second.book.find(100, 'stripe') === null, 1_000);
  });

  it('see a change within 5 s after their connections were cut', async () => {
    await using second = await processOn(database);
    await cutConnections(database);
    await second.book.put(101, 'stripe', stripe);
    await eventually(() => first.book.find(101, 'stripe') !== null, 5_000);
    await second.book.remove(101, 'stripe');
    await eventually(() => first.book.find(101, 'stripe') === null, 1_000);
  }, 20_000);

  it('see a change that nobody told them of', async () => {
    await first.book.put(102, 'stripe', stripe);
    await database.pool.query('delete from store_credentials where app_id = 102');
    await eventually(() => first.book.find(102, 'stripe') === null, 5_000);
  }, 20_000);

  it('begin with what was put before', async () => {
    await first.book.put(103, 'play_store', exampleCredentials.play_store);
    await using second = await processOn(database);
    expect(second.book.ready()).toBe(true);
    expect(second.book.find(103, 'play_store')).toEqual(exampleCredentials.play_store);
  });
});

describe('what is kept', () => {
  const lineOf = (appId: number, store: string) => ({ level: 'error', appId, store });

  it('shows no secret in the table', async () => {
    const stores = ['app_store', 'play_store', 'stripe'] as const;
    for (const store of stores) await first.book.put(110, store, exampleCredentials[store]);
    const { rows } = await database.pool.query('select * from store_credentials where app_id = 110');
    expect(rows).toHaveLength(3);
    for (const secret of secretsOfExample) expect(JSON.stringify(rows)).not.toContain(secret);
  });

  it('opens for its own app and store alone', async () => {
    await first.book.put(111, 'stripe', stripe);
    await database.pool.query(
      `insert into store_credentials (app_id, store, sealed, set_at)
       select 112, store, sealed, set_at from store_credentials where app_id = 111`,
    );
    await using second = await processOn(database);
    expect(second.book.find(111, 'stripe')).toEqual(stripe);
    expect(second.book.find(112, 'stripe')).toBeNull();
    expect(second.lines.map((line) => JSON.parse(line))).toEqual([expect.objectContaining(lineOf(112, 'stripe'))]);
    await database.pool.query('delete from store_credentials where app_id = 112');
  });

  it('counts what does not open, by store, until it opens or is gone', async () => {
    await using own = await testDatabase('store-credentials');
    await using sealer = await processOn(own);
    for (const appId of [1, 2]) await sealer.book.put(appId, 'play_store', exampleCredentials.play_store);
    await using other = await processOn(own, 'x'.repeat(32));
    const locked = async () => {
      const series = (await other.metrics.text()).matchAll(/^store_credentials_locked{store="(\w+)"} (\d+)$/gm);
      return Object.fromEntries([...series].map(([, store, apps]) => [store, Number(apps)]));
    };
    expect(await locked()).toEqual({ app_store: 0, play_store: 2, stripe: 0 });
    await other.book.put(1, 'play_store', exampleCredentials.play_store);
    expect(await locked()).toEqual({ app_store: 0, play_store: 1, stripe: 0 });
    await other.book.remove(2, 'play_store');
    expect(await locked()).toEqual({ app_store: 0, play_store: 0, stripe: 0 });
  });

  it('does not open with another master key, which is said once and shows nothing', async () => {
    await first.book.put(113, 'stripe', stripe);
    await using other = await processOn(database, 'x'.repeat(32));
    await other.book.put(114, 'stripe', stripe);
    expect(other.book.find(113, 'stripe')).toBeNull();
    expect([113, 114, 115].map((appId) => other.book.isLocked(appId, 'stripe'))).toEqual([true, false, false]);
    expect(other.book.summaries(113).stripe).not.toBeNull();
    expect(other.book.find(114, 'stripe')).toEqual(stripe);
    const told = other.lines.map((line) => JSON.parse(line)).filter(({ appId }) => appId === 113);
    expect(told).toEqual([expect.objectContaining(lineOf(113, 'stripe'))]);
    for (const secret of secretsOfExample) expect(other.lines.join()).not.toContain(secret);
    await database.pool.query('delete from store_credentials where app_id in (113, 114)');
  });
});

it('goes on with what it knows while the database is away, and says so once', async () => {
  await using lost = await testDatabase('store-credentials');
  await using process = await processOn(lost);
  const { book, lines } = process;
  await book.put(1, 'stripe', stripe);
  await database.pool.query(`alter database ${nameOf(lost)} with allow_connections false`);
  await cutConnections(lost);
  await expect(book.put(1, 'stripe', { ...stripe, apiKey: 'sk_live_renewed' })).rejects.toThrow();
  await eventually(() => lines.length > 0, 5_000);
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  expect(lines.map((line) => JSON.parse(line).level)).toEqual(['warn']);
  expect(book.find(1, 'stripe')).toEqual(stripe);
}, 20_000);
