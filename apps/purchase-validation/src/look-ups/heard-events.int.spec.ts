import { expect, it } from '@jest/globals';
import { ManualClock } from '@paywright/platform';
import { testDatabase } from '@paywright/testing';
import { HeardEvents } from './heard-events.ts';

const now = Date.UTC(2026, 10, 20, 12);

it('keeps what two instances hear of the same events, in whatever order each does', async () => {
  await using database = await testDatabase('purchase-validation');
  const [one, other] = [1, 2].map(() => new HeardEvents(database.pool, new ManualClock(now)));
  for (let turn = 0; turn < 10; turn++) {
    const ids = Array.from({ length: 400 }, (_, index) => `evt_${turn}_${index}`);
    await Promise.all([...ids.map((id) => one!.note(1, id)), ...ids.toReversed().map((id) => other!.note(1, id))]);
    expect(await one!.among(1, ids)).toEqual(new Set(ids));
  }
});

it('forgets what is of no use any more in portions, however much there is', async () => {
  await using database = await testDatabase('purchase-validation');
  const heard = new HeardEvents(database.pool, new ManualClock(now));
  await database.pool.query(
    `insert into heard_event (app_id, event_id, heard_at)
     select 1, 'evt_' || n, to_timestamp($1::float8 / 1000) from generate_series(1, 15000) as n`,
    [now - 4 * 86_400_000],
  );
  await heard.note(1, 'evt_of_now');
  const left = async () =>
    Number((await database.pool.query<{ count: string }>('select count(*) from heard_event')).rows[0]?.count);
  expect([await heard.forget(), await left()]).toEqual([true, 5_001]);
  expect([await heard.forget(), await left()]).toEqual([false, 1]);
});
