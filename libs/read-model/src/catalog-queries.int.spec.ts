import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testDatabase, type TestDatabase } from '@paywright/testing';
import { CatalogQueries } from './catalog-queries.ts';
import { InvalidCursor } from './page.ts';
import { allPages } from './testing/all-pages.ts';

let database: TestDatabase;
let queries: CatalogQueries;
beforeAll(async () => {
  database = await testDatabase('read-model');
  queries = new CatalogQueries(database.pool);
  await database.pool.query(`
    insert into catalog_revision
    select 1, n, jsonb_build_object('n', n), '{"paywalls": {"calm": 1}, "models": {}, "products": {}, "paywallProducts": {}}',
      '{}', 'ann', to_timestamp(n) from generate_series(1, 3) n;
    insert into audit
    select app, version, gen_random_uuid(), to_timestamp(version), 'ann', 'KeyIssued', null, jsonb_build_object('app', app)
    from generate_series(1, 2) app, generate_series(1, 2) version`);
});
afterAll(async () => await database[Symbol.asyncDispose]());

describe('revisions', () => {
  it('are listed newest first', async () => {
    const pages = await allPages(2, (page) => queries.revisions(1, page));
    expect(pages.map((page) => page.map(({ revision }) => revision))).toEqual([[3, 2], [1]]);
    expect(pages[1]).toEqual([{ revision: 1, time: 1_000, actor: 'ann' }]);
  });

  it('are found with their document; without a number it is the newest', async () => {
    expect(await queries.revision(1, 2)).toMatchObject({
      revision: 2,
      document: { n: 2 },
      ids: { paywalls: { calm: 1 } },
    });
    expect(await queries.revision(1, null)).toMatchObject({ revision: 3 });
    expect([await queries.revision(1, 4), await queries.revision(2, null)]).toEqual([null, null]);
  });
});

describe('archived objects', () => {
  it('are known by the names that they had last, and by their numbers', async () => {
    const paywall = (id: string, name: string) => ({ id, name, externalId: `${id}-out` });
    const documents = [
      { paywalls: [paywall('calm', 'Calm'), paywall('bold', 'Bold')], models: [{ id: 'main', name: 'Main' }] },
      { paywalls: [paywall('calm', 'Calmer')], models: [] },
      { paywalls: [], models: [] },
    ];
    const numbers = { paywalls: { calm: 1, bold: 2, bolder: 7 }, models: { main: 3 } };
    for (const [index, document] of documents.entries())
      await database.pool.query(
        `insert into catalog_revision
         values (7, $1, $2, $3, '{}', 'ann', now()), (8, $1, '{"paywalls": [{"id": "calm", "name": "Theirs"}]}', '{}', '{}', 'ann', now())`,
        [index + 1, JSON.stringify(document), JSON.stringify(numbers)],
      );
    expect(await queries.lastKnown(7, 'paywalls', ['calm', 'bold', 'never'])).toEqual(
      new Map([
        ['calm', { name: 'Calmer', externalId: 'calm-out', number: 1 }],
        ['bold', { name: 'Bold', externalId: 'bold-out', number: 2 }],
      ]),
    );
    expect(await queries.lastKnown(7, 'models', ['main'])).toEqual(
      new Map([['main', { name: 'Main', externalId: null, number: 3 }]]),
    );
    expect(await queries.lastKnown(7, 'models', [])).toEqual(new Map());
  });
});

describe('a former paywall', () => {
  it('is found by its id, an external id that it had, and its number', async () => {
    const paywall = (id: string, externalId: string) => ({ id, name: id, externalId });
    const revisions = [
      [{ paywalls: [paywall('calm', 'bold'), paywall('bold', 'Bold: 30 % off')] }, { calm: 1, bold: 2 }],
      [{ paywalls: [paywall('calm', 'Calm'), paywall('third', 'Calm')] }, { calm: 1, third: 3 }],
      [{ paywalls: [] }, {}],
    ];
    for (const [index, [document, paywalls]] of revisions.entries())
      await database.pool.query(
        `insert into catalog_revision
         values (9, $1, $2, $3, '{}', 'ann', now()), (10, $1, '{"paywalls": [{"id": "theirs", "externalId": "theirs"}]}', '{}', '{}', 'ann', now())`,
        [index + 1, JSON.stringify(document), JSON.stringify({ paywalls })],
      );
    const found = async (named: string) => await queries.formerPaywall(9, named);
    expect([await found('Bold: 30 % off'), await found('2'), await found('3')]).toEqual(['bold', 'bold', 'third']);
    // An id comes before an external id, and of two with one external id any will do.
    expect(await found('bold')).toBe('bold');
    expect(['calm', 'third']).toContain(await found('Calm'));
    expect([await found('theirs'), await found('never'), await found("'")]).toEqual([null, null, null]);
  });
});

describe('the audit', () => {
  it('is over all apps, newest first', async () => {
    const pages = await allPages(3, (page) => queries.audit(page));
    expect(pages.map((page) => page.map(({ time, appId }) => [time, appId]))).toEqual([
      [
        [2_000, 2],
        [2_000, 1],
        [1_000, 2],
      ],
      [[1_000, 1]],
    ]);
    expect(pages[1]).toMatchObject([{ actor: 'ann', action: 'KeyIssued', before: null, after: { app: 1 } }]);
  });

  it('refuses a cursor of another list', () =>
    expect(queries.audit({ limit: 1, cursor: 'MQ' })).rejects.toThrow(InvalidCursor));
});
