import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { testDatabase, type TestDatabase } from '@paywright/testing';
import { UnshownProfiles } from './unshown-profiles.ts';

const week = 7 * 24 * 60 * 60 * 1000;
const now = Date.parse('2026-01-02T03:04:05.678Z');
const fields = { country: 'DE', device: 'd' };
const profileOf = (profileId: string) => ({ profileId, appId: 1, version: 1, fields, createdAt: now - 5 });

let database: TestDatabase;
let unshown: UnshownProfiles;
beforeAll(async () => {
  database = await testDatabase('gateway');
  unshown = new UnshownProfiles(database.pool);
});
afterAll(async () => await database[Symbol.asyncDispose]());

it('are found as new profiles of their app, and by nothing else', async () => {
  const profileId = randomUUID();
  await unshown.keep(profileOf(profileId), now);
  expect(await unshown.find(1, profileId)).toEqual({ ...profileOf(profileId), custom: [], updatedAt: now - 5 });
  expect(await unshown.find(2, profileId)).toBeNull();
  expect(await unshown.find(1, randomUUID())).toBeNull();
});

it('are kept once, and the newer of a customer who came back', async () => {
  const profile = profileOf(randomUUID());
  const back = { ...profile, version: 3, fields: { country: 'FR' }, createdAt: now };
  for (const kept of [profile, profile, back, profile]) await unshown.keep(kept, now);
  expect(await unshown.find(1, profile.profileId)).toMatchObject(back);
});

it('are forgotten when they are told to be', async () => {
  const [profileId, other] = [randomUUID(), randomUUID()];
  for (const id of [profileId, other]) await unshown.keep(profileOf(id), now);
  await unshown.forget(profileId);
  expect([await unshown.find(1, profileId), await unshown.find(1, other)]).toMatchObject([null, { profileId: other }]);
});

it('expire after a week, so many at a time', async () => {
  await database.pool.query('truncate unshown_profile');
  const ids = [randomUUID(), randomUUID(), randomUUID()];
  for (const [index, id] of ids.entries()) await unshown.keep(profileOf(id), now + Math.floor(index / 2));
  expect(await unshown.purge(now + week - 1, 10)).toBe(0);
  expect(await unshown.purge(now + week, 1)).toBe(1);
  expect(await unshown.purge(now + week, 10)).toBe(1);
  expect(await unshown.find(1, ids[2]!)).not.toBeNull();
});
