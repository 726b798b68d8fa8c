import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { chainIdOf } from '@paywright/purchases';
import { testDatabase, type TestDatabase } from '@paywright/testing';
import { type LookUp, LookUpBook } from './look-up-book.ts';
import type { Room } from './look-up-pace.ts';
import type { LookUpSubject } from './look-up-subject.ts';
import { selectUnvalued } from './sql/look-up.sql.ts';

const now = Date.UTC(2026, 10, 20, 12);
const hour = 3_600_000;
let database: TestDatabase;
let book: LookUpBook;

beforeAll(async () => {
  database = await testDatabase('purchase-validation');
  book = new LookUpBook(database.pool, 'a master key for tests, 32 characters');
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
});
/** Of one app at one store. */
const claim = async (at: number, leaseMs: number, limit: number) =>
  (await book.claimDue(at, leaseMs, limit, [{ appId: 1, store: 'play_store', most: 100 }])).looks;
const tokenOf = (subject: LookUpSubject) => (subject.store === 'play_store' ? subject.purchaseToken : null);

beforeEach(() => database.pool.query('truncate look_up'));

const look = (token: string): LookUp => ({
  appId: 1,
  chainId: chainIdOf(1, 'play_store', token),
  subject: { store: 'play_store', purchaseToken: token, kind: 'subscription', orderId: null },
});

it('gives out what is due, in its order, and to one at a time', async () => {
  await book.answered(look('later'), now + hour, []);
  await book.answered(look('second'), now - 1, []);
  await book.answered(look('first'), now - 2, []);
  await book.answered(look('never'), null, []);
  const [one, two] = await Promise.all([claim(now, 60_000, 1), claim(now, 60_000, 5)]);
  expect([...one, ...two].map(({ subject }) => tokenOf(subject)).sort()).toEqual(['first', 'second']);
  expect(await claim(now, 60_000, 5)).toEqual([]);
  expect(await claim(now + 60_000, 60_000, 5)).toHaveLength(2);
});

it('gives out no more of an app at a store than there is room for, and reads through no backlog of others', async () => {
  const of = (appId: number, token: string, lookAt: number) =>
    book.answered({ ...look(token), appId, chainId: chainIdOf(appId, 'play_store', token) }, lookAt, []);
  for (const token of ['a', 'b', 'c']) await of(1, token, now - 10);
  await of(2, 'd', now - 1);
  await of(2, 'e', now - 2);
  const claimed = async (...rooms: readonly Room[]) =>
    (await book.claimDue(now, 60_000, 5, rooms)).looks
      .map(({ appId, subject }) => `${appId} ${tokenOf(subject)}`)
      .sort();
  const play = { store: 'play_store' } as const;
  expect(await claimed()).toEqual([]);
  expect(await claimed({ appId: 1, store: 'stripe', most: 5 })).toEqual([]);
  expect(await claimed({ appId: 2, ...play, most: 1 })).toEqual(['2 e']);
  expect(await claimed({ appId: 1, ...play, most: 2 }, { appId: 2, ...play, most: 5 })).toHaveLength(3);
});

it('gives out of each app before it gives out more of one, however long that has waited', async () => {
  const of = (appId: number, token: string, lookAt: number) =>
    book.answered({ ...look(token), appId, chainId: chainIdOf(appId, 'play_store', token) }, lookAt, []);
  for (const token of ['a', 'b', 'c']) await of(1, token, now - hour);
  for (const token of ['d', 'e']) await of(2, token, now);
  const rooms = [1, 2].map((appId) => ({ appId, store: 'play_store', most: 25 }) as const);
  const claimed = await book.claimDue(now, 60_000, 2, rooms);
  expect(claimed.looks.map(({ appId }) => appId).sort()).toEqual([1, 2]);
  expect((await book.claimDue(now, 60_000, 5, rooms)).looks).toHaveLength(3);
});

it('gives out what can be opened, and says of which nobody here has the key', async () => {
  const before = new LookUpBook(database.pool, 'the master key before, 32 characters');
  await before.answered(look('lost'), now - 2, []);
  await book.answered(look('kept'), now - 1, []);
  const { chainId } = look('lost');
  const rooms = [{ appId: 1, store: 'play_store', most: 5 }] as const;
  expect(await book.claimDue(now, 60_000, 5, rooms)).toEqual({
    looks: [{ ...look('kept'), claimedUntil: now + 60_000 }],
    shut: [expect.objectContaining({ appId: 1, chainId })],
    unread: [],
  });
});

it('gives out what it can read beside what a newer release wrote in words of its own', async () => {
  const { chainId } = look('newer');
  const subject = { store: 'play_store', bundle: 'of tomorrow' } as unknown as LookUpSubject;
  await book.answered({ appId: 1, chainId, subject }, now - 2, []);
  await book.answered(look('kept'), now - 1, []);
  expect(await book.claimDue(now, 60_000, 5, [{ appId: 1, store: 'play_store', most: 5 }])).toEqual({
    looks: [{ ...look('kept'), claimedUntil: now + 60_000 }],
    shut: [],
    unread: [expect.objectContaining({ appId: 1, chainId })],
  });
});

it('writes what comes within a moment in one transaction', async () => {
  const first = book.answered(look('a'), now, []);
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
  await Promise.all([first, book.answered(look('b'), now, [])]);
  const { rows } = await database.pool.query('select xmin from look_up group by xmin');
  expect(rows).toHaveLength(1);
  expect(await claim(now, 1, 5)).toHaveLength(2);
});

it('writes what two instances are told of the same chains, in whatever order each is', async () => {
  const other = new LookUpBook(database.pool, 'a master key for tests, 32 characters');
  const looks = Array.from({ length: 400 }, (_, index) => look(`t${index}`));
  for (let turn = 0; turn < 5; turn++)
    await Promise.all([
      ...looks.map((one) => book.lookNow(one, now)),
      ...looks.toReversed().map((one) => other.lookNow(one, now)),
    ]);
  expect(await claim(now, 1, 400)).toHaveLength(100);
});

it('asks a silent store again later and later, until it answers', async () => {
  const pauses: number[] = [];
  for (let i = 0; i < 4; i++) {
    await book.unanswered(look('a'), now, 'unavailable');
    const { rows } = await database.pool.query<{ pause: string }>(
      'select extract(epoch from look_at) * 1000 - $1::float8 as pause from look_up',
      [now],
    );
    pauses.push(Number(rows[0]?.pause));
  }
  expect(pauses).toEqual([30_000, 60_000, 120_000, 240_000]);
  await book.answered(look('a'), now + hour, []);
  await book.unanswered(look('a'), now, 'unavailable');
  expect(await claim(now + 30_000, 1, 5)).toHaveLength(1);
});

it('gives up what a store does not know for two months, and begins anew with the next news of it', async () => {
  const tryTimes = async (times: number) => {
    for (let i = 0; i < times; i++) await book.unanswered(look('a'), now, 'not-found');
    return (await claim(now + 6 * hour, 60_000, 5)).length;
  };
  expect(await tryTimes(240)).toBe(1);
  expect(await tryTimes(1)).toBe(0);
  expect(await tryTimes(1)).toBe(1);
});

it('keeps what is kept already, with its time, until it is forgotten', async () => {
  await book.keep(look('a'), now);
  await book.keep(look('a'), now + hour);
  expect(await claim(now, 1, 5)).toMatchObject([look('a')]);
  await book.lookAt(look('a'), null);
  await book.keep(look('a'), now);
  expect(await claim(now + hour, 1, 5)).toEqual([]);
  await book.forget(look('a'));
  await book.keep(look('a'), now);
  expect(await claim(now, 1, 5)).toHaveLength(1);
});

it('ends what was claimed, unless it was written anew since then', async () => {
  const minute = 60_000;
  const tokens = ['over', 'due again', 'of a newer token', 'unvalued'];
  for (const token of tokens) await book.answered(look(token), now, []);
  const claimed = await claim(now + 0.25, minute, 5); // simulated time may be moved by parts of a millisecond
  await book.lookNow(look('due again'), now + 1);
  await book.answered({ ...look('of a newer token'), subject: look('newer').subject }, now + hour, []);
  await book.keepUnvalued(look('unvalued'), [{ currency: 'AED', day: '2026-11-20' }]);
  for (const one of claimed) await book.end(one);
  const { rows } = await database.pool.query('select chain_id, look_at from look_up');
  const at = (time: number | null) => (time === null ? null : new Date(time));
  expect(rows).toHaveLength(3);
  expect(rows).toEqual(
    expect.arrayContaining([
      { chain_id: look('due again').chainId, look_at: at(now + 1) },
      { chain_id: look('of a newer token').chainId, look_at: at(now + hour) },
      { chain_id: look('unvalued').chainId, look_at: null },
    ]),
  );
});

it('keeps when to look again after what was claimed, unless it was written anew since then', async () => {
  const minute = 60_000;
  for (const token of ['as claimed', 'due again', 'ended']) await book.answered(look(token), now, []);
  const claimed = await claim(now + 0.25, minute, 5);
  await book.lookNow(look('due again'), now + 1);
  await book.forget(look('ended'));
  const unvalued = [{ currency: 'AED', day: '2026-11-20' }];
  for (const one of claimed) await book.answeredAsClaimed(one, now + hour, unvalued);
  const { rows } = await database.pool.query('select chain_id, look_at, unvalued from look_up');
  const row = (token: string, time: number) => ({ chain_id: look(token).chainId, look_at: new Date(time), unvalued });
  expect(rows).toHaveLength(3);
  expect(rows).toEqual(
    expect.arrayContaining([row('as claimed', now + hour), row('due again', now + 1), row('ended', now + hour)]),
  );
});

it('keeps no token that can be read', async () => {
  await book.answered(look('a-purchase-token'), now, []);
  const { rows } = await database.pool.query<{ row: string }>('select look_up::text as row from look_up');
  expect(rows[0]?.row).not.toContain('a-purchase-token');
});

it('knows whose money has no rate, page by page', async () => {
  const missing = [{ currency: 'AED', day: '2026-11-20' }];
  for (const token of ['a', 'b', 'c']) await book.answered(look(token), null, missing);
  await book.answered(look('valued'), null, []);
  const first = await book.unvalued({ appId: 0, chainId: look('a').chainId }, 2);
  const rest = await book.unvalued(first.at(-1)!, 2);
  expect([...first, ...rest].map(({ chainId }) => chainId).sort()).toEqual(
    ['a', 'b', 'c'].map((token) => look(token).chainId).sort(),
  );
  await book.valued(first[0]!, missing);
  expect(await book.unvalued({ appId: 0, chainId: first[0]!.chainId }, 10)).toHaveLength(2);
});

it('keeps what has no rate, whether the chain is asked for or not, and changes nothing of that', async () => {
  const [first, second] = ['2026-11-20', '2026-11-21'].map((of) => ({ currency: 'AED', day: of }));
  await book.keepUnvalued(look('a'), [first!]);
  expect(await claim(now + 90 * 24 * hour, 1, 5)).toEqual([]);
  await book.answered({ ...look('a'), subject: look('newer').subject }, now, []);
  await book.keepUnvalued(look('a'), [second!]);
  expect((await book.unvalued({ appId: 0, chainId: look('a').chainId }, 5)).map((one) => one.missing)).toEqual([
    [first, second],
  ]);
  expect(await claim(now, 1, 5)).toMatchObject([{ subject: look('newer').subject }]);
});

it('keeps what has no rate beside later answers, until it has one', async () => {
  const [first, second] = [
    { currency: 'AED', day: '2026-11-20' },
    { currency: 'AED', day: '2026-12-20' },
  ];
  const missing = async () =>
    (await book.unvalued({ appId: 0, chainId: look('a').chainId }, 10)).map((one) => one.missing);
  await book.answered(look('a'), null, [first]);
  await Promise.all([book.answered(look('a'), null, [second]), book.answered(look('a'), now, [])]);
  await book.answered(look('a'), now + hour, [second]);
  expect(await missing()).toEqual([[first, second]]);
  await book.valued(look('a'), [first]);
  expect(await missing()).toEqual([[second]]);
  await book.valued(look('a'), [second]);
  expect(await missing()).toEqual([]);
});

it('reads no chain whose money has its value to find those whose money has none', async () => {
  await database.pool.query(`
    insert into look_up (app_id, chain_id, store, sealed)
    select 1, gen_random_uuid(), 'stripe', repeat('s', 200) from generate_series(1, 5000)`);
  await book.keepUnvalued(look('a'), [{ currency: 'AED', day: '2026-11-20' }]);
  await database.pool.query('analyze look_up');

  const told = await database.pool.query<{ 'QUERY PLAN': unknown }>(
    `explain (analyze, format json) ${selectUnvalued}`,
    [0, look('a').chainId, 500],
  );

  const plan = JSON.stringify(told.rows[0]?.['QUERY PLAN']);
  const readInVain = [...plan.matchAll(/"Rows Removed by [^"]+":(\d+)/g)].map(([, rows]) => Number(rows));
  expect(readInVain.reduce((sum, rows) => sum + rows, 0)).toBeLessThan(100);
  expect(await book.unvalued({ appId: 0, chainId: look('a').chainId }, 500)).toHaveLength(1);
});
