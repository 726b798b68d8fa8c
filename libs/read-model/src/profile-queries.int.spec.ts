import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { testDatabase, type TestDatabase } from '@paywright/testing';
import { InvalidCursor } from './page.ts';
import { ProfileQueries } from './profile-queries.ts';
import { allPages } from './testing/all-pages.ts';

const id = (digit: number) => `0000000${digit}-0000-4000-8000-000000000000`;
const insertProfile = `
  insert into profile (profile_id, app_id, version, fields, custom, created_at, updated_at)
  values ($1, $2, 3, '{"country": "DE"}', '[{"id": "a", "key": "goal", "value": "sleep"}]', to_timestamp(1), to_timestamp(2))`;
const insertPersonal = `
  insert into profile_personal (profile_id, app_id, version, fields, customer_user_id)
  values ($1, $2, 1, jsonb_build_object('customerUserId', $3::text), $3)`;

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase('read-model');
  const people = [
    [1, 1, 'ann'],
    [2, 1, 'ann-marie'],
    [3, 1, 'Ann'],
    [4, 1, 'a_n'],
    [5, 2, 'ann'],
    [6, 1, null],
  ] as const;
  for (const [digit, app, customerUserId] of people) {
    await database.pool.query(insertProfile, [id(digit), app]);
    if (customerUserId !== null) await database.pool.query(insertPersonal, [id(digit), app, customerUserId]);
  }
});
afterAll(async () => await database[Symbol.asyncDispose]());

/** Queries whose statements can be read. */
function watched() {
  const asked: string[] = [];
  const query = ({ text, ...rest }: { text: string; name: string; values: unknown[] }) => {
    asked.push(text);
    return database.pool.query({ text, ...rest });
  };
  return { profiles: new ProfileQueries({ query } as Pick<pg.Pool, 'query'>), asked };
}

describe('find', () => {
  it('joins the personal fields in', async () =>
    expect(await new ProfileQueries(database.pool).find(1, id(1))).toEqual({
      profileId: id(1),
      appId: 1,
      version: 3,
      fields: { country: 'DE' },
      custom: [{ id: 'a', key: 'goal', value: 'sleep' }],
      personal: { customerUserId: 'ann' },
      createdAt: 1_000,
      updatedAt: 2_000,
    }));

  it('knows a profile without personal fields, and an id in capitals', async () => {
    const profiles = new ProfileQueries(database.pool);
    expect(await profiles.find(1, id(6))).toMatchObject({ personal: {} });
    expect(await profiles.exists(1, id(6).replace('8000', '8000').toUpperCase())).toBe(true);
  });

  it('shows who does not ask for the person no personal field, and reads none', async () => {
    const { profiles, asked } = watched();
    const { personal, ...others } = (await new ProfileQueries(database.pool).find(1, id(1)))!;
    expect(personal).not.toEqual({});
    expect(await profiles.findImpersonal(1, id(1))).toEqual(others);
    expect(asked).toEqual([expect.not.stringContaining('personal')]);
  });

  it.each([
    ['another app', 2, id(1)],
    ['nobody', 1, id(9)],
    ['no UUID', 1, 'ann'],
  ])('finds nothing for %s', async (_, app, profileId) => {
    const profiles = new ProfileQueries(database.pool);
    expect(await profiles.find(app, profileId)).toBeNull();
    expect(await profiles.findImpersonal(app, profileId)).toBeNull();
    expect(await profiles.exists(app, profileId)).toBe(false);
  });

  it('asks the database once for all who ask at once', async () => {
    const { profiles, asked } = watched();
    const found = await Promise.all([profiles.find(1, id(1)), profiles.find(1, id(2)), profiles.find(2, id(5))]);
    expect(found.map((profile) => profile?.profileId)).toEqual([id(1), id(2), id(5)]);
    expect(asked).toHaveLength(1);
  });
});

describe('search', () => {
  const search = async (by: { customerUserId: string } | { query: string }, limit = 10) =>
    (await allPages(limit, (page) => new ProfileQueries(database.pool).search(1, by, page))).map((page) =>
      page.map(({ personal }) => personal.customerUserId),
    );

  it('finds a customer user id as it is', async () => {
    expect(await search({ customerUserId: 'ann' })).toEqual([['ann']]);
    expect(await search({ customerUserId: 'an' })).toEqual([[]]);
    expect(await search({ customerUserId: 'a%' })).toEqual([[]]);
  });

  it('finds the beginning of one, in order, page by page', async () => {
    expect(await search({ query: 'a' })).toEqual([['a_n', 'ann', 'ann-marie']]);
    expect(await search({ query: 'a' }, 1)).toEqual([['a_n'], ['ann'], ['ann-marie']]);
    expect(await search({ query: 'a_' })).toEqual([['a_n']]);
  });

  it('finds a profile id of the app', async () => {
    expect(await search({ query: id(3) })).toEqual([['Ann']]);
    expect(await search({ query: id(5) })).toEqual([[]]);
  });

  it('refuses a cursor that is none', () =>
    expect(new ProfileQueries(database.pool).search(1, { query: 'a' }, { limit: 1, cursor: 'x' })).rejects.toThrow(
      InvalidCursor,
    ));

  it('uses the index of customer user ids', async () => {
    const client = await database.pool.connect();
    await client.query('set enable_seqscan = off');
    const { rows } = await client.query(
      `explain select from profile_personal where app_id = 1 and customer_user_id like 'an%'`,
    );
    client.release(true);
    expect(JSON.stringify(rows)).toContain("customer_user_id >= 'an'");
  });
});
