import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ProfileErased } from '@paywright/contracts';
import { personalMessage, type OutgoingMessage } from '@paywright/messaging';
import { CatalogQueries, ProfileQueries, PurchaseQueries, TimelineQueries } from '@paywright/read-model';
import fc from 'fast-check';
import { personalProjection } from './personal/personal.projection.ts';
import { profileProjection } from './profile/profile.projection.ts';
import { purchasesProjection } from './purchases/purchases.projection.ts';
import { appId, attributeSet, created, eventRecord, profileA, received } from './testing/event-log.ts';
import { boughtAt, day, purchaseChain } from './testing/purchase-log.ts';
import { schemas } from './rebuild/schemas.ts';
import { clear, deadLetters, follow, rowsOf, testReadModel } from './testing/read-model.ts';

const erasedAt = boughtAt + day;
const page = { limit: 200, cursor: null };

const database = await testReadModel();
const { pool } = database;

const chain = purchaseChain('1000');
const logs = {
  profile: [
    created(profileA, { country: 'DE' }),
    attributeSet(profileA, 'goal', 'sleep'),
    ProfileErased.of({ appId, profileId: profileA, actor: 'ops', erasedAt }),
  ].map((event, index) => eventRecord('profile', profileA, index + 1, event)),
  personal: [
    personalMessage({ appId, profileId: profileA, version: 1, fields: { customerUserId: 'ann', email: 'a@x.y' } }),
    personalMessage({ appId, profileId: profileA, version: 3, fields: {} }),
  ],
  purchases: chain.log(
    chain.moved('unclaimed', { time: boughtAt }),
    chain.claimed(profileA),
    chain.moved('before', { time: erasedAt }),
    chain.moved('after', { time: erasedAt + 1 }),
  ),
};
const projections = {
  profile: profileProjection(new Set()),
  personal: personalProjection,
  purchases: purchasesProjection(new Set()),
};
type Log = keyof typeof logs;
const logNames = ['profile', 'personal', 'purchases'] as const;

/** Reads the logs, each in its order, and a record of one of them at a time: the turns say whose. */
async function read(turns: readonly Log[]): Promise<void> {
  const followers = {
    profile: follow(pool, projections.profile),
    personal: follow(pool, projections.personal),
    purchases: follow(pool, projections.purchases),
  };
  for (const name of logNames) await followers[name].claim(0);
  const offsets = { profile: 0, personal: 0, purchases: 0 };
  for (const name of turns) {
    const record = logs[name][offsets[name]];
    if (record) await followers[name].handle(received([record], offsets[name]++));
  }
  expect(await deadLetters(pool)).toEqual([]);
}

const everyRecord = logNames.flatMap((name) => logs[name].map(() => name));
const readAll = () => read(everyRecord);

describe('an erased profile', () => {
  it('is found by nothing any more', async () => {
    const profiles = new ProfileQueries(pool);
    await read(['profile', 'profile', 'personal']);
    expect((await profiles.search(appId, { customerUserId: 'ann' }, page)).entries).toHaveLength(1);
    await clear(pool);
    await readAll();
    expect(await profiles.find(appId, profileA)).toBeNull();
    for (const search of [{ customerUserId: 'ann' }, { query: 'a' }, { query: profileA }])
      expect((await profiles.search(appId, search, page)).entries).toEqual([]);
  });

  it('leaves rows without a person: empty fields, and payments of nobody', async () => {
    await readAll();
    expect(await rowsOf(pool, 'profile')).toMatchObject([
      { version: 3, fields: {}, custom: [], erased_at: new Date(erasedAt), erased_version: 3 },
    ]);
    expect(await rowsOf(pool, 'profile_personal')).toMatchObject([{ version: 3, fields: {}, customer_user_id: null }]);
    expect(await rowsOf(pool, 'ledger_entry')).toMatchObject([
      { movement_id: 'unclaimed', payer_profile_id: null },
      { movement_id: 'before', payer_profile_id: null, amount: '9.990000000000' },
      { movement_id: 'after', payer_profile_id: profileA },
    ]);
  });

  it('is in the audit, with who asked for it', async () => {
    await readAll();
    expect((await new CatalogQueries(pool).audit(page)).entries).toMatchObject([
      { actor: 'ops', action: 'ProfileErased', appId, before: { profileId: profileA }, after: null },
    ]);
  });

  it('ends as the same rows in whatever order the topics are read, and with the tombstone compacted away', async () => {
    const tables = ['profile', 'profile_personal', 'profile_event', 'ledger_entry', 'audit'] as const;
    const rows = async () => Promise.all(tables.map((table) => rowsOf(pool, table)));
    await readAll();
    const expected = await rows();
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(everyRecord, { minLength: everyRecord.length }), async (turns) => {
        await clear(pool);
        await read(turns);
        expect(await rows()).toEqual(expected);
      }),
      { numRuns: 20 },
    );
  });
});

describe('a read model of before that is kept', () => {
  const kept = (table: string) => `${schemas.former}.${table}`;
  const rowsKept = async (table: string) => (await pool.query<Record<string, unknown>>(`table ${kept(table)}`)).rows;
  const tables = ['profile', 'profile_personal', 'ledger_entry'] as const;
  const beforeErasure: readonly Log[] = ['profile', 'profile', 'personal', 'purchases', 'purchases', 'purchases'];
  beforeEach(async () => {
    await database.addSchema(schemas.former);
    await read(beforeErasure);
    for (const table of tables) await pool.query(`insert into ${kept(table)} select * from ${table}`);
    await clear(pool);
  });
  afterEach(() => pool.query(`drop schema ${schemas.former} cascade`));

  const expectNobody = async () => {
    const [profile, personal] = [await rowsKept('profile'), await rowsKept('profile_personal')];
    expect(profile.map(({ version, fields, custom }) => [version, fields, custom])).toEqual([[2, {}, []]]);
    expect(personal.map((row) => [row['version'], row['fields'], row['customer_user_id']])).toEqual([[3, {}, null]]);
  };

  it('has no person either', async () => {
    await readAll();
    await expectNobody();
    expect((await rowsKept('ledger_entry')).map((row) => row['payer_profile_id'])).toEqual([null, null]);
  });

  it('has none where it is of an older version', async () => {
    await pool.query(`alter table ${kept('profile')} drop column erased_at, drop column erased_version`);
    await pool.query(`drop table ${kept('ledger_entry')}`);
    await readAll();
    await expectNobody();
  });
});

describe('a customer who comes back', () => {
  const again: readonly OutgoingMessage[] = [eventRecord('profile', profileA, 4, created(profileA, { locale: 'fr' }))];
  const comeBack = async () => {
    await readAll();
    const follower = follow(pool, projections.profile);
    await follower.claim(0);
    await follower.handle(received(again, logs.profile.length));
  };

  it('has a new profile with nothing of before', async () => {
    await comeBack();
    expect(await new ProfileQueries(pool).find(appId, profileA)).toMatchObject({
      version: 4,
      fields: { locale: 'fr' },
      custom: [],
      personal: {},
      createdAt: Date.UTC(2026, 0, 1, 0, 0, 4),
    });
  });

  it('sees no event and no payment of before', async () => {
    await comeBack();
    const { entries } = await new TimelineQueries(pool).ofProfile(appId, profileA, page);
    expect(entries.every(({ time }) => time > erasedAt)).toBe(true);
    expect((await new PurchaseQueries(pool).ledgerOf(profileA, page)).entries.map(({ id }) => id)).toEqual(['after']);
  });

  it('is not shown what an old record of before would bring, were there one', async () => {
    await comeBack();
    await pool.query(
      `update profile_personal set version = 2, fields = '{"email": "a@x.y"}', customer_user_id = 'ann'`,
    );
    expect(await new ProfileQueries(pool).find(appId, profileA)).toMatchObject({ personal: {} });
    expect((await new ProfileQueries(pool).search(appId, { customerUserId: 'ann' }, page)).entries).toEqual([]);
  });
});
