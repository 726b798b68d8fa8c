import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ManualClock, SimulatedClock, SystemClock } from '@paywright/platform';
import { testDatabase, type TestDatabase } from '@paywright/testing';
import type { Pool } from 'pg';
import { DatabaseClock } from './database-clock.ts';

const hour = 3_600_000;
let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase('purchase-validation');
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
});

/** The clock of a machine that is wrong. */
class WrongClock extends SystemClock {
  readonly #aheadMs: number;

  constructor(aheadMs: number) {
    super();
    this.#aheadMs = aheadMs;
  }

  override now(): number {
    return super.now() + this.#aheadMs;
  }
}

it.each([2 * hour, -2 * hour])('is the same to an instance whose own is wrong by %i ms', async (aheadMs) => {
  const [right, wrong] = [0, aheadMs].map((by) => new DatabaseClock(database.pool, new WrongClock(by)));
  expect(Math.abs(wrong!.now() - right!.now())).toBeGreaterThan(hour);
  await Promise.all([right!.ask(), wrong!.ask()]);
  expect(Math.abs(wrong!.now() - right!.now())).toBeLessThan(hour);
  expect(wrong!.now() % 1).toBe(0);
});

it('is compared with a broker’s or a database’s clock by itself, and is not moved then', async () => {
  const simulated = new SimulatedClock(new WrongClock(2 * hour));
  const clock = new DatabaseClock(database.pool, simulated);
  await clock.ask();
  simulated.moveTo(100 * hour);
  expect(Math.abs(clock.machineNow() - new SystemClock().now())).toBeLessThan(hour);
  expect(Math.round((clock.now() - clock.machineNow()) / hour)).toBe(100);
});

it('is moved by a simulation, before the database is asked and after it', async () => {
  const simulated = new SimulatedClock();
  const clock = new DatabaseClock(database.pool, simulated);
  const moved = () => clock.now() - new SystemClock().now();
  simulated.moveTo(100 * hour);
  expect(moved()).toBeGreaterThan(99 * hour);
  await clock.ask();
  expect(moved()).toBeGreaterThan(99 * hour);
  simulated.moveTo(200 * hour);
  expect(moved()).toBeGreaterThan(199 * hour);
});

it('stays as it is where the answer was too long on its way to say otherwise', async () => {
  const own = new ManualClock(0);
  let waysMs = 0;
  const query = async (text: string) => {
    const told = await database.pool.query(text);
    own.advance(waysMs);
    return told;
  };
  const clock = new DatabaseClock(Object.assign(Object.create(database.pool) as Pool, { query }), own);
  const ahead = () => clock.now() - own.now();
  await clock.ask();
  const before = ahead();
  waysMs = hour;
  await clock.ask();
  expect(ahead()).toBe(before); // half an hour less, if it were believed
});
