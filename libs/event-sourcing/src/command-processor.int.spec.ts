import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@paywright/platform';
import { createCommandProcessor } from './command-processor.ts';
import { type EventStore, isConflict } from './event-store.ts';
import { PostgresEventStore } from './postgres-event-store.ts';
import { describeCommandProcessor } from './testing/command-processor.contract.ts';
import { commandFor } from './testing/command-for.ts';
import { Count, counter } from './testing/counter.ts';
import { type EventStoreDatabase, eventStoreDatabase } from './testing/event-store-database.ts';

let database: EventStoreDatabase;
beforeAll(async () => {
  database = await eventStoreDatabase();
});
afterAll(async () => database[Symbol.asyncDispose]());

const clock = new ManualClock(Date.UTC(2026, 5, 1));
const instance = (store: EventStore = new PostgresEventStore(database.pool)) =>
  createCommandProcessor({ decider: counter, store, clock });
const count = (key: string, by = 1) => commandFor(Count, { key, body: { by } });
const eventsOf = async (stream: string) => {
  const { rows } = await database.pool.query('SELECT version FROM event WHERE stream = $1 ORDER BY version', [stream]);
  return rows.map(({ version }) => Number(version));
};

function onlyConflicts(error: unknown): null {
  if (isConflict(error)) return null;
  throw error;
}

describe('command processor on Postgres', () => {
  describeCommandProcessor(() => new PostgresEventStore(database.pool));

  it('lets two instances write one stream at once: no version twice, none missing, none lost', async () => {
    const key = randomUUID();
    const [one, two] = [instance(), instance(new PostgresEventStore(database.anotherPool()))];
    const deliver = async (process: typeof one) => {
      for (let batch = 0; batch < 10; batch++) {
        const commands = [count(key), count(key)];
        while (!(await process(commands).catch(onlyConflicts))); // the transport repeats it
      }
    };

    await Promise.all([deliver(one), deliver(two)]);

    expect(await eventsOf(key)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
  });

  it('decides a command once that two instances take at the same time, and both say the same', async () => {
    const commands = Array.from({ length: 30 }, () => count(randomUUID(), 2));
    const [one, two] = [instance(), instance(new PostgresEventStore(database.anotherPool()))];

    const [first, second] = await Promise.all([one(commands), two(commands)]);

    expect(second).toEqual(first);
    for (const { key } of commands) expect(await eventsOf(key)).toEqual([1, 2]);
  });

  it('is done by a repeat after a crash at any point', async () => {
    /** Dies before the append, or after it and before anyone hears of it. */
    class DyingStore extends PostgresEventStore {
      readonly #point: 'before append' | 'after append';

      constructor(point: 'before append' | 'after append') {
        super(database.pool);
        this.#point = point;
      }

      override async append(...parameters: Parameters<PostgresEventStore['append']>): Promise<never> {
        if (this.#point === 'after append') await super.append(...parameters);
        throw new Error('killed');
      }
    }
    for (const point of ['before append', 'after append'] as const) {
      const batch = [count(randomUUID(), 2), count(randomUUID(), 3)];
      await expect(instance(new DyingStore(point))(batch)).rejects.toThrow('killed');

      const outcomes = await instance()(batch);

      expect(outcomes.map((outcome) => outcome.kind === 'accepted' && outcome.events.length)).toEqual([2, 3]);
      expect(await eventsOf(batch[0]!.key)).toEqual([1, 2]);
      expect(await instance()(batch)).toEqual(outcomes);
    }
  });

  it('fails the one command that Postgres cannot store, and stores the others of its batch', async () => {
    const commands = [count(randomUUID()), count('nul \u0000'), count(randomUUID())];

    const outcomes = await instance()(commands);

    expect(outcomes.map(({ kind }) => kind)).toEqual(['accepted', 'failed', 'accepted']);
  });
});
