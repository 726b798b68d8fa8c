import { expect, it } from '@jest/globals';
import { ManualClock } from '@paywright/platform';
import { testDatabase } from '@paywright/testing';
import { HeardEvents } from './heard-events.ts';

const now = Date.UTC(2026, 10, 20, 12);
const type = 'customer.subscription.updated';

it('keeps what two instances hear of the same events, in whatever order each does', async () => {
  await using database = await testDatabase('purchase-validation');
  const [one, other] = [1, 2].map(() => new HeardEvents(database.pool, new ManualClock(now)));
  for (let turn = 0; turn < 10; turn++) {
    const events = Array.from({ length: 400 }, (_, index) => ({ eventId: `evt_${turn}_${index}`, type }));
    await Promise.all([
      ...events.map((event) => one!.note(1, event)),
      ...events.toReversed().map((event) => other!.note(1, event)),
    ]);
    const ids = events.map(({ eventId }) => eventId);
    expect(await one!.among(1, ids)).toEqual(new Set(ids));
  }
});
