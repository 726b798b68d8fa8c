import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { chainIdOf } from '@paywright/purchases';
import { testDatabase, type TestDatabase } from '@paywright/testing';
import { PlayChains } from './play-chains.ts';

let database: TestDatabase;
let chains: PlayChains;
let appId = 0;

beforeAll(async () => {
  database = await testDatabase('purchase-validation');
  chains = new PlayChains(database.pool);
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
});

const chainOf = (token: string) => chainIdOf(appId, 'play_store', token);
/** What Play tells of the tokens before each: `d` replaced `c`, which replaced `b`, which replaced `a`. */
const links: Record<string, readonly string[]> = { d: ['c'], c: ['b'], b: ['a'], a: [] };
const place = (token: string, tell = (older: string) => links[older] ?? []) =>
  chains.place(appId, token, links[token] ?? [], (older) => Promise.resolve(tell(older)));

it.each([
  ['oldest first', ['a', 'b', 'c', 'd']],
  ['newest first', ['d', 'c', 'b', 'a']],
  ['out of order', ['c', 'a', 'd', 'b']],
])('puts all tokens of a chain where the first one is, met %s', async (_, order) => {
  appId++;
  for (const token of order) await place(token);
  for (const token of ['a', 'b', 'c', 'd'])
    expect(await chains.find(appId, token)).toEqual({ chainId: chainOf('a'), isReplaced: token !== 'd' });
});

it('goes by what it knows where Play tells no more', async () => {
  appId++;
  await place('b');
  expect(await place('c', () => [])).toEqual({ chainId: chainOf('a'), isReplaced: false, isNew: true });
  appId++;
  expect(await place('c', () => [])).toEqual({ chainId: chainOf('b'), isReplaced: false, isNew: true });
  expect(await place('b')).toEqual({ chainId: chainOf('b'), isReplaced: true, isNew: false });
});

it('ends a walk in a circle', async () => {
  appId++;
  const { chainId } = await place('d', () => ['d']);
  expect(chainId).toBe(chainOf('c'));
});

it('gives one place to a token that many meet at once', async () => {
  appId++;
  const places = await Promise.all(Array.from({ length: 8 }, () => place('d')));
  expect(new Set(places.map(({ chainId }) => chainId))).toEqual(new Set([chainOf('a')]));
});

it('keeps apps apart', async () => {
  appId++;
  await place('a');
  expect(await chains.find(appId + 1_000, 'a')).toBeNull();
});
