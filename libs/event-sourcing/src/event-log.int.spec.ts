import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { RecordedEvent } from '@paywright/contracts';
import type { Pool } from 'pg';
import { EventLog } from './event-log.ts';
import { PostgresEventStore } from './postgres-event-store.ts';
import { type EventStoreDatabase, eventStoreDatabase } from './testing/event-store-database.ts';

let database: EventStoreDatabase;
beforeAll(async () => {
  database = await eventStoreDatabase();
});
afterAll(async () => database[Symbol.asyncDispose]());

const recorded = (stream: string, streamVersion: number, time: number): RecordedEvent => ({
  ...{ id: randomUUID(), stream, streamVersion, time, correlationId: 'request', causationId: randomUUID() },
  ...{ type: 'Happened', version: 1, body: { appId: 7, at: time } },
});

async function all<Item>(pages: AsyncIterable<readonly Item[]>): Promise<readonly Item[]> {
  const items: Item[] = [];
  for await (const page of pages) items.push(...page);
  return items;
}

it('reads all events as they were stored, by time, but each stream in its own order', async () => {
  const slowClock = [recorded('b', 1, 5_000), recorded('b', 2, 1_000), recorded('b', 3, 6_000)];
  const others = [recorded('a', 1, 4_000), recorded('a', 2, 5_500)];
  const many = Array.from({ length: 2_500 }, (_, index) => recorded('many', index + 1, 10_000));
  const store = new PostgresEventStore(database.pool);
  await store.append({
    inbox: [],
    events: [...slowClock, ...others, ...many],
    snapshots: [],
    personal: [
      { stream: 'a', version: 2, erased: false, changes: { email: 'a@example.com' } },
      { stream: 'b', version: 3, erased: true, changes: {} },
    ],
  });
  const log = new EventLog(database.anotherPool({ patienceMs: null }));

  const events = await all(log.events());
  expect(events.slice(0, 5)).toEqual([others[0], slowClock[0], slowClock[1], others[1], slowClock[2]]);
  expect(events.slice(5)).toEqual(many);
  expect(await log.count()).toBe(events.length);
  expect(await all(log.streams(['b', 'unknown', 'a']))).toEqual([...others, ...slowClock]);
  expect(await log.versions()).toEqual(new Map(Object.entries({ a: 2, b: 3, many: 2_500 })));
  expect(await log.versionsOf(['b', 'unknown'])).toEqual(new Map([['b', 3]]));
  expect([await log.newestOf('b'), await log.newestOf('unknown')]).toEqual([slowClock[2], null]);
  expect(await all(log.personal())).toEqual([
    { appId: 7, profileId: 'a', version: 2, fields: { email: 'a@example.com' } },
    { appId: 7, profileId: 'b', version: 3, fields: {} },
  ]);
});

const mebibyte = 1024 * 1024;
const bytesOf = (page: readonly RecordedEvent[]) =>
  page.reduce((sum, { body }) => sum + (body as { text: string }).text.length, 0);

/** Resolves when the server cannot send more of what another connection asked for. */
async function untilServerWaits(pool: Pool): Promise<void> {
  const waiting = `select where 'ClientWrite' in (select wait_event from pg_stat_activity where datname = current_database())`;
  while ((await pool.query(waiting)).rowCount === 0) await pool.query('select pg_sleep(0.05)');
}

it('gives pages of as many bytes as are asked for, however long rows are, and has the server wait with the rest', async () => {
  await using large = await eventStoreDatabase();
  const store = new PostgresEventStore(large.pool);
  const textOf = (index: number) => 'x'.repeat(index % 100 === 99 ? mebibyte : 2_000);
  const stored = Array.from({ length: 2_000 }, (_, index) => ({
    ...recorded(`stream ${index % 7}`, Math.floor(index / 7) + 1, index),
    body: { appId: 7, text: textOf(index) },
  }));
  for (let from = 0; from < stored.length; from += 100)
    await store.append({ inbox: [], events: stored.slice(from, from + 100), snapshots: [], personal: [] });

  const pages: (readonly RecordedEvent[])[] = [];
  for await (const page of new EventLog(large.anotherPool({ patienceMs: null }), mebibyte).events()) {
    if (pages.length === 0) await untilServerWaits(large.pool);
    pages.push(page);
  }

  expect(pages.flat()).toEqual(stored);
  expect(pages.length).toBeGreaterThan(12);
  for (const page of pages) expect(bytesOf(page)).toBeLessThan(2.2 * mebibyte);
  for (const page of pages.slice(0, -1)) expect(bytesOf(page)).toBeGreaterThan(0.7 * mebibyte);
});

it('closes its connection where the reading ends early, and throws what the server failed with', async () => {
  await using other = await eventStoreDatabase();
  const events = Array.from({ length: 3 }, (_, index) => recorded('a', index + 1, index));
  await new PostgresEventStore(other.pool).append({ inbox: [], events, snapshots: [], personal: [] });
  const pool = other.anotherPool({ patienceMs: null });
  for await (const page of new EventLog(pool, 1).events()) {
    expect(page.length).toBeGreaterThan(0);
    break;
  }
  expect(pool.totalCount).toBe(0);
  await other.pool.query('alter table event rename to other');
  await expect(all(new EventLog(pool).events())).rejects.toMatchObject({ code: '42P01' });
  await expect(all(new EventLog(other.pool).events())).rejects.toThrow('limited');
});
