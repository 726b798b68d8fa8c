import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock, SystemClock } from '@paywright/platform';
import { testDatabase, type TestDatabase } from '@paywright/testing';
import { setTimeout as delay } from 'node:timers/promises';
import { ReadModelProgress } from './read-model-progress.ts';

const clock = new SystemClock();
const profileId = '0000000a-0000-4000-8000-000000000000';
const soon = () => clock.steadyNow() + 2_000;

let database: TestDatabase;
let progress: ReadModelProgress;
beforeAll(async () => {
  database = await testDatabase('read-model');
});
beforeEach(async () => {
  await database.pool.query('truncate profile, profile_personal, app, purchase_chain');
  progress = new ReadModelProgress({ pool: database.pool, clock });
  await progress.start();
});
afterEach(() => progress.stop());
afterAll(async () => await database[Symbol.asyncDispose]());

const saveProfile = (version: number) =>
  database.pool.query(
    `insert into profile values ($1, 1, $2, '{}', '[]', now(), now()) on conflict (profile_id) do update set version = $2`,
    [profileId, version],
  );
const savePersonal = (version: number) =>
  database.pool.query(`insert into profile_personal values ($1, 1, $2, '{}')`, [profileId, version]);
const notify = (text = '') => database.pool.query('select pg_notify($1, $2)', ['read_model', text]);

describe('a write', () => {
  it('is reached when its version is there already', async () => {
    await saveProfile(3);
    expect(await progress.reached({ profileId, streamVersion: 3, deadline: soon() })).toBe(true);
    expect(await progress.reached({ profileId: profileId.toUpperCase(), streamVersion: 2, deadline: soon() })).toBe(
      true,
    );
  });

  it('is reached with the notification, long before the next poll', async () => {
    const patient = new ReadModelProgress({ pool: database.pool, clock, pollIntervalMs: 60_000 });
    await patient.start();
    const reached = patient.reached({ profileId, streamVersion: 1, deadline: soon() });
    await delay(30);
    await saveProfile(1);
    await notify();
    expect(await reached).toBe(true);
    await patient.stop();
  });

  it('is reached by what a notification tells, before or after somebody waits for it', async () => {
    const patient = new ReadModelProgress({ pool: database.pool, clock, pollIntervalMs: 60_000 });
    await patient.start();
    const wait = (personalVersion: number) =>
      patient.reached({ profileId, streamVersion: 2, personalVersion, deadline: clock.steadyNow() + 100 });
    const awaited = patient.reached({ profileId, streamVersion: 2, deadline: soon() });
    await notify(`profile ${profileId}:1`);
    await notify(`personal ${profileId}:2`);
    await notify(`profile ${profileId}:2`);
    expect(await awaited).toBe(true);
    await notify(`profile ${profileId}:1`); // of a batch that was repeated
    expect([await wait(0), await wait(2), await wait(3)]).toEqual([true, true, false]);
    await notify();
    await delay(50);
    expect(await wait(0)).toBe(false);
    await patient.stop();
  });

  it('is reached when its version comes, notified or not', async () => {
    const first = progress.reached({ profileId, streamVersion: 1, deadline: soon() });
    await saveProfile(1);
    await notify();
    expect(await first).toBe(true);
    const second = progress.reached({ profileId, streamVersion: 2, deadline: soon() });
    await saveProfile(2);
    expect(await second).toBe(true);
  });

  it('of personal fields is reached when they are there too', async () => {
    await saveProfile(1);
    expect(
      await progress.reached({ profileId, streamVersion: 1, personalVersion: 1, deadline: clock.steadyNow() + 50 }),
    ).toBe(false);
    const reached = progress.reached({ profileId, streamVersion: 1, personalVersion: 1, deadline: soon() });
    await savePersonal(1);
    expect(await reached).toBe(true);
  });

  it('of an app is reached by its own version', async () => {
    const reached = progress.catalogReached(5, 2, soon());
    await database.pool.query(`insert into app values (5, 1, 'Five', now())`);
    expect(await progress.catalogReached(5, 2, clock.steadyNow() + 30)).toBe(false);
    await database.pool.query('update app set version = 2');
    expect(await reached).toBe(true);
  });

  it('of a purchase is reached by its chain’s own version', async () => {
    const chainId = 'c0000000-0000-8000-8000-000000000000';
    const reached = progress.purchaseReached(chainId.toUpperCase(), 2, soon());
    await database.pool.query(`insert into purchase_chain values ($1, 1, 1, null, '{}')`, [chainId]);
    expect(await progress.purchaseReached(chainId, 2, clock.steadyNow() + 30)).toBe(false);
    await database.pool.query('update purchase_chain set version = 2');
    expect(await reached).toBe(true);
  });
});

describe('whoever waits', () => {
  it('is told no at the deadline', async () => {
    await saveProfile(1);
    const told: number[] = [];
    const waits = [120, 60].map(async (ms) => {
      expect(await progress.reached({ profileId, streamVersion: 2, deadline: clock.steadyNow() + ms })).toBe(false);
      told.push(ms);
    });
    await Promise.all(waits);
    expect(told).toEqual([60, 120]);
  });

  it('is told no when the gateway stops', async () => {
    const waiting = progress.reached({ profileId, streamVersion: 2, deadline: soon() });
    await progress.stop();
    expect(await waiting).toBe(false);
  });

  it('is answered also after the listening connection was lost', async () => {
    await database.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity where query ilike 'listen%'`);
    const waiting = progress.reached({ profileId, streamVersion: 1, deadline: soon() });
    await saveProfile(1);
    expect(await waiting).toBe(true);
  });
});

it('may lack rows from the loss of the database until the projection has had the time to fold them again', async () => {
  const clock = new ManualClock(0);
  await using other = await testDatabase('read-model');
  const doubting = new ReadModelProgress({ pool: other.pool, clock });
  await doubting.start();
  expect(doubting.mayLack).toBe(false);
  await database.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity where query ilike 'listen%'`);
  for (let step = 0; step < 40 && !doubting.mayLack; step++) await delay(50);
  expect(doubting.mayLack).toBe(true);
  for (let step = 0; step < 100 && doubting.mayLack; step++) {
    await delay(50);
    clock.advance(1_000);
  }
  expect(doubting.mayLack).toBe(false);
  expect(clock.steadyNow()).toBeGreaterThanOrEqual(15_000);
  await doubting.stop();
});
