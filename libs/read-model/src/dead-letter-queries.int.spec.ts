import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testDatabase, type TestDatabase } from '@paywright/testing';
import { DeadLetterQueries } from './dead-letter-queries.ts';
import { InvalidCursor } from './page.ts';
import { allPages } from './testing/all-pages.ts';

const action = '0190a5b3-4f61-7c32-8e40-6c8d9fa01b23';

let database: TestDatabase;
let queries: DeadLetterQueries;
beforeAll(async () => {
  database = await testDatabase('read-model');
  queries = new DeadLetterQueries(database.pool);
  await database.pool.query(`
    insert into dead_letter (seq, consumer, topic, partition, "offset", key, app_id, message_id, headers, payload, blocks,
      error, attempts, status, recorded_at, failed_at, settled_at, settled_by)
    values
      (1, 'projection', 'profile.events', 0, 5, 'a', 7, 'm1', '{"ce_type": "T.v1"}', '\\x7b7d', true, 'bad', 1, 'open',
        to_timestamp(1), to_timestamp(2), null, null),
      (2, 'projection', 'profile.events', 0, 6, 'a', 7, 'm2', '{}', '\\x7b7d', true, null, 0, 'open', to_timestamp(3), null, null, null),
      (3, 'profile', 'profile.commands', 1, 9, 'b', null, 'm3', '{"type": "SaveProfile"}', null, false, 'worse', 2, 'retried',
        to_timestamp(4), to_timestamp(5), to_timestamp(6), 'ann'),
      (4, 'projection', 'purchase.events', 0, 1, 'c', 8, null, '{}', decode(repeat('61', 70000), 'hex'), true, 'long', 1, 'open',
        to_timestamp(7), to_timestamp(7), null, null);
    insert into audit (app_id, version, id, time, actor, action, before, after)
    values (0, 1, '${action}', to_timestamp(6), 'ann', 'DeadLetterRetried', '{}', '{"id": 3, "status": "retried"}'),
      (0, 1, gen_random_uuid(), to_timestamp(6), 'ann', 'DeadLetterRetried', '{}', '{"id": 4, "status": "open"}'),
      (7, 1, gen_random_uuid(), to_timestamp(6), 'ann', 'KeyIssued', null, '{"id": "none"}')`);
});
afterAll(async () => await database[Symbol.asyncDispose]());

describe('dead letters', () => {
  it('are listed newest first, without what only waits behind them', async () => {
    const pages = await allPages(2, (page) => queries.list({}, page));
    expect(pages.map((page) => page.map(({ id }) => id))).toEqual([[4, 3], [1]]);
    expect(pages[0]?.[1]).toEqual({
      id: 3,
      group: 'profile',
      topic: 'profile.commands',
      partition: 1,
      offset: '9',
      key: 'b',
      appId: null,
      messageId: 'm3',
      type: 'SaveProfile',
      status: 'retried',
      reason: 'worse',
      attempts: 2,
      recordedAt: 4_000,
      failedAt: 5_000,
      settledAt: 6_000,
      settledBy: 'ann',
      skippedVersion: null,
    });
  });

  it.each([
    [{ group: 'projection' }, [4, 1]],
    [{ topic: 'profile.events' }, [1]],
    [{ appId: 8 }, [4]],
    [{ status: 'retried' as const }, [3]],
    [{ group: 'profile', status: 'open' as const }, []],
  ])('are found by %j', async (filter, ids) => {
    const { entries } = await queries.list(filter, { limit: 10, cursor: null });
    expect(entries.map(({ id }) => id)).toEqual(ids);
  });

  it('are shown in full, with what waits behind them and what was done about them', async () => {
    expect(await queries.find(1)).toMatchObject({ type: 'T.v1', parked: 1, payload: Buffer.from('{}'), actions: [] });
    const outcome = { id: 3, status: 'retried' };
    const actions = [{ time: 6_000, actor: 'ann', action: 'DeadLetterRetried', outcome }];
    expect(await queries.find(3)).toMatchObject({ parked: 0, payload: null, actions });
    expect(await queries.find(4)).toMatchObject({ payload: null, payloadLength: 70_000 });
    expect([await queries.find(2), await queries.find(5)]).toEqual([null, null]);
  });

  it('refuse the cursor of another list', () =>
    expect(queries.list({}, { limit: 1, cursor: 'WzFd' })).rejects.toThrow(InvalidCursor));
});

it('lists the keys that stand still, the last one first', async () => {
  const pages = await allPages(1, (page) => queries.parked({}, page));
  expect(pages).toEqual([
    [{ group: 'projection', topic: 'purchase.events', key: 'c', deadLetterId: 4, parked: 0, since: 7_000 }],
    [{ group: 'projection', topic: 'profile.events', key: 'a', deadLetterId: 1, parked: 1, since: 1_000 }],
  ]);
  expect((await queries.parked({ topic: 'profile.events' }, { limit: 5, cursor: null })).entries).toHaveLength(1);
});
