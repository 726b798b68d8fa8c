import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { ConfigurationError, derivedId, profileIdOf } from '@paywright/platform';
import { testDatabase, type TestDatabase } from '@paywright/testing';
import { requireProfileIdKey } from './require-profile-id-key.ts';

const [key, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const masterKey = { profileIdsAreOf: 'MASTER_KEY' } as const;

let database: TestDatabase;
beforeAll(async () => void (database = await testDatabase('read-model')));
afterAll(async () => await database[Symbol.asyncDispose]());
beforeEach(async () => void (await database.pool.query('delete from profile_personal')));

async function insert(profileId: string, appId: number, customerUserId: string | null): Promise<void> {
  await database.pool.query(
    `insert into profile_personal (profile_id, app_id, version, fields, customer_user_id) values ($1, $2, 1, '{}', $3)`,
    [profileId, appId, customerUserId],
  );
}

/** Enough for any sample of them. */
async function insertCustomers(count: number, of: Buffer, name = 'customer'): Promise<void> {
  for (let n = 1; n <= count; n += 1)
    await insert(profileIdOf(of, 1 + (n % 2), `${name} ${n}`), 1 + (n % 2), `${name} ${n}`);
}

it('takes the key that made the ids', async () => {
  await insertCustomers(20, key);
  await requireProfileIdKey(database.pool, key, masterKey);
});

it.each(['MASTER_KEY', 'PROFILE_ID_KEY'] as const)(
  'refuses another one, and names %s and no user',
  async (variable) => {
    await insertCustomers(20, key);
    const refused = await requireProfileIdKey(database.pool, other, { profileIdsAreOf: variable }).catch(
      (error) => error,
    );
    expect(refused).toBeInstanceOf(ConfigurationError);
    expect(refused).toMatchObject({
      faults: [{ variable, problem: expect.stringContaining('every customer would become a new profile') }],
    });
    expect(refused.message).not.toContain('customer 1');
  },
);

it('takes either key where both made ids, since it cannot tell which is wrong', async () => {
  await insertCustomers(20, key);
  await insertCustomers(20, other, 'later customer');
  await requireProfileIdKey(database.pool, key, masterKey);
  await requireProfileIdKey(database.pool, other, masterKey);
});

it('takes any key where nobody shows which one made the ids', async () => {
  await requireProfileIdKey(database.pool, other, masterKey);
  await insert('01a21bab-d896-765d-baf6-2f61dc174f54', 1, null);
  await insert(derivedId('somebody who was erased'), 1, null);
  await requireProfileIdKey(database.pool, other, masterKey);
});
