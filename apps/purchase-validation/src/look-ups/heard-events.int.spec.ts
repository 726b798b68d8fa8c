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
