import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { RecordedEvent } from '@paywright/contracts';
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

async function lengths(pages: AsyncIterable<readonly unknown[]>): Promise<readonly number[]> {
  const found: number[] = [];
  for await (const page of pages) found.push(page.length);
  return found;
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
  const log = new EventLog(database.pool);

  const events = await all(log.events());
  expect(events.slice(0, 5)).toEqual([others[0], slowClock[0], slowClock[1], others[1], slowClock[2]]);
  expect(events.slice(5)).toEqual(many);
  expect(await all(log.streams())).toEqual([...others, ...slowClock, ...many]);
  expect(await log.versions()).toEqual(new Map(Object.entries({ a: 2, b: 3, many: 2_500 })));
  expect(await log.versionsOf(['b', 'unknown'])).toEqual(new Map([['b', 3]]));
  expect([await log.newestOf('b'), await log.newestOf('unknown')]).toEqual([slowClock[2], null]);
  expect(await all(log.personal())).toEqual([
    { appId: 7, profileId: 'a', version: 2, fields: { email: 'a@example.com' } },
    { appId: 7, profileId: 'b', version: 3, fields: {} },
  ]);

  const few = new EventLog(database.pool, 2);
  for (const pages of [few.events(), few.streams()]) expect(await lengths(pages)).toEqual([...Array(1_252).fill(2), 1]);
  expect(await lengths(few.personal())).toEqual([2]);
});
