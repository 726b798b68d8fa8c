import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ManualClock, createLogger, Metrics, Sealing, type MasterKeys } from '@paywright/platform';
import { StoreCredentialsBook, storeCredentialsPurpose } from '@paywright/store-credentials';
import { exampleCredentials } from '@paywright/store-credentials/testing';
import { testDatabase, type TestDatabase } from '@paywright/testing';
import { findProjectRoot } from '../migrate/database-schemas.ts';
import { reseal } from './reseal.ts';
import { sealedColumns } from './sealed-columns.ts';
import { selectPage, updatePage } from './statements.ts';

const root = findProjectRoot();
const [oldKey, newKey, lostKey] = ['o'.repeat(32), 'n'.repeat(32), 'l'.repeat(32)] as const;
const keys: Pick<MasterKeys, 'newest' | 'former'> = { newest: newKey, former: [oldKey] };
const [ofCredentials, ofLookUps] = [sealedColumns.slice(0, 1), sealedColumns.slice(1)];

let credentials: TestDatabase;
let purchases: TestDatabase;
beforeAll(async () => {
  [credentials, purchases] = await Promise.all([
    testDatabase('store-credentials'),
    testDatabase('purchase-validation'),
  ]);
});
afterAll(() => Promise.all([credentials[Symbol.asyncDispose](), purchases[Symbol.asyncDispose]()]));

const bookWith = async (...[key, former]: [string, (readonly string[])?]) => {
  const sealing = new Sealing(key, storeCredentialsPurpose, former);
  const logger = createLogger({ service: 'test', level: 'error' }, { write: () => undefined });
  const [clock, metrics] = [new ManualClock(0), new Metrics()];
  const book = new StoreCredentialsBook({ pool: credentials.pool, sealing, clock, logger, metrics });
  await book.start();
  return book;
};

it('seals store credentials again, so that the former key can go', async () => {
  const before = await bookWith(oldKey);
  await before.put(1, 'stripe', exampleCredentials.stripe);
  await before.put(2, 'app_store', exampleCredentials.app_store);
  const during = await bookWith(newKey, [oldKey]);
  expect(during.find(1, 'stripe')).toEqual(exampleCredentials.stripe);
  await during.put(3, 'stripe', exampleCredentials.stripe);

  const table = 'store_credentials.store_credentials';
  expect(await reseal(credentials.url, keys, ofCredentials)).toEqual([{ table, resealed: 2, left: 0 }]);
  expect(await reseal(credentials.url, keys, ofCredentials)).toEqual([{ table, resealed: 0, left: 0 }]);

  const after = await bookWith(newKey);
  expect(after.find(1, 'stripe')).toEqual(exampleCredentials.stripe);
  expect(after.find(2, 'app_store')).toEqual(exampleCredentials.app_store);
  for (const book of [before, during, after]) await book.stop();
});

it('seals what chains are looked up by again, page after page, and tells what it cannot open', async () => {
  const { LookUpBook } = await import(join(root, 'apps/purchase-validation/src/look-ups/look-up-book.ts'));
  const subject = { store: 'stripe', subject: { kind: 'subscription', id: 'sub_1' } };
  const chain = (n: number) => `10000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
  const sealedBy = (key: string, n: number) =>
    new Sealing(key, 'look-up').seal(JSON.stringify(subject), `1/${chain(n)}`);
  for (let n = 0; n < 600; n += 1) {
    await purchases.pool.query(
      `insert into look_up (app_id, chain_id, store, sealed, attempts) values (1, $1, 'stripe', $2, 0)`,
      [chain(n), sealedBy(n === 0 ? lostKey : oldKey, n)],
    );
  }
  const table = 'purchase_validation.look_up';
  expect(await reseal(purchases.url, keys, ofLookUps)).toEqual([{ table, resealed: 599, left: 1 }]);
  expect(await reseal(purchases.url, keys, ofLookUps)).toEqual([{ table, resealed: 0, left: 1 }]);

  // Opened by whoever owns the table: purpose and context are the owner's.
  const book = new LookUpBook(purchases.pool, newKey);
  await book.lookAt({ appId: 1, chainId: chain(599) }, 1);
  const room = [{ appId: 1, store: 'stripe', most: 1 }];
  const looks = [{ appId: 1, chainId: chain(599), subject, claimedUntil: 1_002 }];
  expect(await book.claimDue(2, 1_000, 1, room)).toEqual({ looks, shut: [], unread: [] });
});

it('finds a page and its rows by the primary key, however many rows there are', async () => {
  const { pool } = purchases;
  await pool.query(`insert into look_up (app_id, chain_id, store, sealed)
    select 2 + n % 3, md5(n::text)::uuid, 'stripe', repeat('s', 400) from generate_series(1, 100000) n`);
  await pool.query('analyze look_up');
  const { rows } = await pool.query<{ chain: string }>(
    'select chain_id as chain from look_up where app_id = 3 limit 500',
  );
  const page = [rows.map(() => '3'), rows.map(({ chain }) => chain), rows.map(() => 'sealed'), rows.map(() => 'again')];
  const scan = /Index Scan using look_up_pkey/;
  const search = /Index Scan using look_up_pkey .*\n +Index Cond: /;
  for (const column of ofLookUps)
    for (const [text, values, wanted] of [
      [selectPage(column, 500, true), [], scan],
      [selectPage(column, 500, false), ['3', rows[0]?.chain], search],
      [updatePage(column), page, search],
    ] as const) {
      const explained = await pool.query<Record<string, string>>(`explain ${text}`, [...values]);
      const plan = explained.rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toMatch(wanted);
      expect(plan).not.toMatch(/Seq Scan|Sort/);
    }
});

it('knows every sealed column that there is', () => {
  const models = readdirSync(join(root, 'prisma')).map((model) =>
    readFileSync(join(root, 'prisma', model, 'schema.prisma'), 'utf8'),
  );
  const sealed = models.flatMap((text) =>
    [...text.matchAll(/^model [^}]+^}/gm)].filter(([model]) => /^\s+sealed\w*\s/m.test(model)),
  );
  const tables = sealed.map(([model]) => /@@map\("(\w+)"\)/.exec(model)?.[1]).sort();
  expect(tables).toEqual(sealedColumns.map(({ table }) => table).sort());
});
