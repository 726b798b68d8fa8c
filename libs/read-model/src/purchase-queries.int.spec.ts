import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { emptyChain, type Chain } from '@paywright/purchases';
import { testDatabase, type TestDatabase } from '@paywright/testing';
import { InvalidCursor } from './page.ts';
import { PurchaseQueries } from './purchase-queries.ts';
import { allPages } from './testing/all-pages.ts';

const uuid = (digit: number) => `0000000${digit}-000a-4000-8000-000000000000`;
const [buyer, stranger] = [uuid(1), uuid(2)];
const [first, second, unknown] = [uuid(3), uuid(4), uuid(5)];

let database: TestDatabase;
let queries: PurchaseQueries;
beforeAll(async () => {
  database = await testDatabase('read-model');
  queries = new PurchaseQueries(database.pool);
});
afterAll(async () => await database[Symbol.asyncDispose]());

const insertChain = (chain: Partial<Chain> & { chainId: string }, decisionId: string | null = null) =>
  database.pool.query('insert into purchase_chain values ($1, 1, 1, $2, $3)', [
    chain.chainId,
    decisionId,
    JSON.stringify({ ...emptyChain, ...chain }),
  ]);

describe('chains', () => {
  beforeAll(async () => {
    await insertChain({ chainId: first, owner: stranger, formerOwners: [buyer] });
    await insertChain({ chainId: second, owner: buyer });
    await database.pool.query('insert into purchase_owner values ($1, $3, 2), ($2, $3, null), ($1, $4, null)', [
      ...[buyer, stranger],
      ...[first, second],
    ]);
  });

  it('are those that a profile owns or owned, for each that is asked for', async () => {
    const chains = await queries.chainsOf([buyer.toUpperCase(), stranger, unknown, 'nobody']);
    expect([...chains].map(([profileId, held]) => [profileId, held.map(({ chainId }) => chainId)])).toEqual([
      [buyer.toUpperCase(), [first, second]],
      [stranger, [first]],
      [unknown, []],
      ['nobody', []],
    ]);
  });

  it('are read by one statement', async () => {
    let asked = 0; // the pool gives each statement a connection
    const count = () => (asked += 1);
    database.pool.on('acquire', count);
    await queries.chainsOf([buyer, stranger]);
    database.pool.off('acquire', count);
    expect(asked).toBe(1);
  });

  it('are no longer those that a profile lost before its erasure, and are those that it has since', async () => {
    const [returned, lostBefore, lostSince, bought] = [uuid(9), uuid(6), uuid(7), uuid(8)].map((id) =>
      id.replace('000a', '000b'),
    ) as [string, string, string, string];
    for (const chainId of [lostBefore, lostSince, bought]) await insertChain({ chainId, formerOwners: [returned] });
    await database.pool.query('insert into purchase_owner values ($1, $2, 2), ($1, $3, 2), ($1, $4, null)', [
      ...[returned, lostBefore, lostSince, bought],
    ]);
    await database.pool.query(
      `insert into purchase_event (chain_id, id, time, version, app_id, type, data)
       values ($1, gen_random_uuid(), to_timestamp(2), 2, 1, 'PurchaseClaimed', '{}'),
         ($2, gen_random_uuid(), to_timestamp(4), 2, 1, 'PurchaseClaimed', '{}')`,
      [lostBefore, lostSince],
    );
    await database.pool.query(
      `insert into profile (profile_id, app_id, version, fields, custom, created_at, updated_at, erased_at)
       values ($1, 1, 1, '{}', '[]', now(), now(), to_timestamp(3))`,
      [returned],
    );
    const chains = await queries.chainsOf([returned]);
    expect(chains.get(returned)?.map(({ chainId }) => chainId)).toEqual([lostSince, bought]);
  });

  it('are found by their id', async () => {
    expect(await queries.findChain(first.toUpperCase())).toMatchObject({ chainId: first, owner: stranger });
    expect([await queries.findChain(unknown), await queries.findChain('none')]).toEqual([null, null]);
  });
});

describe('the ledger', () => {
  beforeAll(() =>
    database.pool.query(
      `insert into ledger_entry (chain_id, movement_id, version, app_id, time, type, store, environment, transaction_id,
         product_id, amount, currency, payer_profile_id)
       select chain, 'm' || n, n, 1, to_timestamp(n / 2), 'charge', 'stripe', 'production', 't', 'p', n + 0.10, 'EUR', $3::uuid
       from unnest(array[$1, $2]::uuid[]) chain, generate_series(1, 3) n`,
      [first, second, buyer],
    ),
  );

  it.each([1, 2, 4, 200])('has every row once, newest first, %i a page', async (limit) => {
    const rows = (await allPages(limit, (page) => queries.ledgerOf(buyer.toUpperCase(), page))).flat();
    expect(rows.map(({ id, time }) => [id, time])).toEqual([
      ...[
        ['m3', 1_000],
        ['m2', 1_000],
      ],
      ...[
        ['m3', 1_000],
        ['m2', 1_000],
      ],
      ...[
        ['m1', 0],
        ['m1', 0],
      ],
    ]);
    expect(rows[0]).toMatchObject({ amount: '3.1', usd: null, rate: null, paywallId: null });
  });

  it('is empty for who paid nothing, and refuses a cursor of another list', async () => {
    const nothing = { entries: [], nextCursor: null };
    expect(await queries.ledgerOf(stranger, { limit: 9, cursor: null })).toEqual(nothing);
    expect(await queries.ledgerOf('nobody', { limit: 9, cursor: null })).toEqual(nothing);
    await expect(queries.ledgerOf(buyer, { limit: 1, cursor: 'MQ' })).rejects.toThrow(InvalidCursor);
  });
});

describe('the origin of a purchase', () => {
  const decision = (digit: number) => `d000000${digit}-0000-4000-8000-000000000000`;
  const calm = { paywallId: 12, placementId: 'onboarding' };
  const eventIn = (digit: number, paywallId: number, uniqueImpression: boolean) => ({
    eventId: uuid(digit),
    paywallId,
    uniqueImpression,
  });

  beforeAll(async () => {
    const insert = (service: string, version: number, type: string, time: number, id: string | null, data: object) =>
      database.pool.query(
        `insert into profile_event (service, version, type, time, decision_id, data, profile_id, app_id, id)
         values ($1, $2, $3, to_timestamp($4), $5, $6, $7, 1, gen_random_uuid())`,
        [service, version, type, time, id, JSON.stringify(data), buyer],
      );
    const serve = (version: number, place: object) =>
      insert('selection', version, 'PaywallServed', version, decision(version), place);
    await serve(1, calm);
    await serve(2, calm);
    await serve(3, { ...calm, placementId: 'settings' });
    await serve(4, { ...calm, paywallId: 13 });
    await serve(5, calm);
    await insert('selection', 6, 'DecisionSuperseded', 6, decision(5), { decisionId: decision(5) });
    await serve(7, calm);
    await insert('impression', 1, 'EventsReported', 2, null, { events: [eventIn(6, 12, true), eventIn(7, 12, false)] });
    await insert('impression', 2, 'EventsReported', 3, null, { events: [eventIn(8, 12, false)] });
    await database.pool.query(`insert into unique_impression values ($1, 12, 1, 'onboarding', null, to_timestamp(2))`, [
      buyer,
    ]);
  });

  it('is the newest decision that counts, until then, and the first showing', async () => {
    const shown = { impressionId: uuid(6) };
    expect(await queries.originOf(buyer.toUpperCase(), calm, 9_000)).toEqual({ ...shown, decisionId: decision(7) });
    expect(await queries.originOf(buyer, calm, 7_000)).toEqual({ ...shown, decisionId: decision(7) });
    expect(await queries.originOf(buyer, calm, 6_999)).toEqual({ ...shown, decisionId: decision(2) });
    expect(await queries.originOf(buyer, calm, 1_000)).toEqual({ ...shown, decisionId: decision(1) });
    expect(await queries.originOf(buyer, calm, 999)).toEqual({ ...shown, decisionId: null });
  });

  it('is looked for by what the attribution names', async () => {
    const before = 6_999;
    const anywhere = await queries.originOf(buyer, { ...calm, placementId: null }, before);
    expect(anywhere.decisionId).toBe(decision(3));
    const other = await queries.originOf(buyer, { ...calm, paywallId: 13 }, before);
    expect(other).toEqual({ decisionId: decision(4), impressionId: null });
    const nothing = { decisionId: null, impressionId: null };
    expect(await queries.originOf(buyer, { ...calm, paywallId: null }, before)).toEqual(nothing);
    expect(await queries.originOf(stranger, calm, before)).toEqual(nothing);
    expect(await queries.originOf('nobody', calm, before)).toEqual(nothing);
  });

  it('is nothing of before the profile’s erasure', async () => {
    await database.pool.query(
      `insert into profile (profile_id, app_id, version, fields, custom, created_at, updated_at, erased_at)
       values ($1, 1, 1, '{}', '[]', now(), now(), to_timestamp(3))`,
      [buyer],
    );
    expect(await queries.originOf(buyer, calm, 6_999)).toEqual({ decisionId: null, impressionId: null });
    expect(await queries.originOf(buyer, calm, 9_000)).toEqual({ decisionId: decision(7), impressionId: null });
  });
});

describe('the outcome of a decision', () => {
  const transaction = { transactionId: 't', isFamilyShared: false } as Chain['transactions'][string];
  const paid = (usd: string | null, transactionId = 't') => ({ usd, transactionId }) as Chain['movements'][number];
  const originIn = (decisionId: string) => ({ decisionId }) as NonNullable<Chain['origin']>;

  it('is what was bought in production, and what that earned to the millionth', async () => {
    const origin = originIn(uuid(9));
    const real = { environment: 'production', origin, transactions: { t: transaction } } as const;
    const family = { t: { ...transaction, isFamilyShared: true } };
    const movements = [paid('9.990001'), paid('-1'), paid(null)];
    await insertChain({ ...real, chainId: uuid(6), movements }, uuid(9));
    await insertChain({ ...real, chainId: uuid(7) }, uuid(9));
    await insertChain({ ...real, chainId: uuid(8), transactions: family }, uuid(9));
    await insertChain({ ...real, chainId: uuid(9), environment: 'sandbox', movements }, uuid(9));
    expect(await queries.outcomeOf(uuid(9).toUpperCase())).toEqual({ conversions: 2, revenueUsd: '8.990001' });
    expect(await queries.outcomeOf('none')).toEqual({ conversions: 0, revenueUsd: '0' });
  });

  it('is of each purchase of a chain that was bought again its own', async () => {
    const month = (transactionId: string, startsAt: number) =>
      ({ ...transaction, transactionId, kind: 'subscription', purchasedAt: startsAt, startsAt, expiresAt: startsAt + 30 }) as Chain['transactions'][string]; // prettier-ignore
    await insertChain(
      {
        ...{ chainId: uuid(0), store: 'app_store', environment: 'production', origin: originIn(uuid(3)) },
        ...{ attributedWith: 't', laterOrigins: { t9: originIn(uuid(4)) } },
        transactions: { t: month('t', 0), t9: month('t9', 400) },
        movements: [paid('10'), paid('4', 't9')],
      },
      uuid(3),
    );
    await database.pool.query('insert into later_decision values ($1, $2)', [uuid(0), uuid(4)]);
    expect(await queries.outcomeOf(uuid(3))).toEqual({ conversions: 1, revenueUsd: '10' });
    expect(await queries.outcomeOf(uuid(4))).toEqual({ conversions: 1, revenueUsd: '4' });
  });
});
