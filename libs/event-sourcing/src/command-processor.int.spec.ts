import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ManualClock } from '@paywright/platform';
import type { Pool } from 'pg';
import { createCommandProcessor } from './command-processor.ts';
import { type EventStore, isConflict } from './event-store.ts';
import { PostgresEventStore } from './postgres-event-store.ts';
import { describeCommandProcessor } from './testing/command-processor.contract.ts';
import { commandFor } from './testing/command-for.ts';
import { Count, Counted, counter } from './testing/counter.ts';
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

  describe('after a failover that lost the last commits', () => {
    /** As on a server that took over and had not got them. */
    const lose = async (key: string, version: number) => {
      await database.pool.query('DELETE FROM event WHERE stream = $1 AND version >= $2', [key, version]);
      await database.pool.query('DELETE FROM inbox WHERE stream = $1 AND last_version >= $2', [key, version]);
    };

    /** Its one connection breaks, as all do that lead to the server that is gone. */
    const cutOff = async (pool: Pool) => {
      const { rows } = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      const broken = once(pool, 'error');
      await database.pool.query('SELECT pg_terminate_backend($1)', [rows[0]!.pid]);
      await broken;
    };

    it('leaves no hole: it appends to what is stored, and not to what it remembers', async () => {
      const key = randomUUID();
      const pool = database.anotherPool();
      const process = instance(new PostgresEventStore(pool));
      for (const by of [1, 2, 3]) await process([count(key, by)]);
      await lose(key, 4);
      await cutOff(pool);

      expect(await process([count(key)])).toMatchObject([{ kind: 'accepted', state: 4 }]);
      expect(await eventsOf(key)).toEqual([1, 2, 3, 4]);
    });

    it('decides on what is stored in place of what it remembers', async () => {
      const key = randomUUID();
      const pool = database.anotherPool();
      const process = instance(new PostgresEventStore(pool));
      for (const by of [1, 2]) await process([count(key, by)]);
      await lose(key, 2);
      await cutOff(pool);
      const byOne: typeof counter = {
        ...counter,
        decide: { ...counter.decide, Count: ({ body }) => ({ events: [Counted.of({ by: body.by })], reply: {} }) },
      };
      const other = createCommandProcessor({ decider: byOne, store: new PostgresEventStore(database.pool), clock });
      await other([count(key, 500), count(key, 499)]);

      // Its version is 3, and in memory too; its total is 1,000, in memory 3.
      expect(await process([count(key)])).toMatchObject([{ kind: 'refused' }]);
    });

    it('forgets all that it remembered', async () => {
      const keys = [randomUUID(), randomUUID()] as const;
      const pool = database.anotherPool();
      const process = instance(new PostgresEventStore(pool));
      for (const key of keys) await process([count(key, 3)]);
      for (const key of keys) await lose(key, 2);
      await cutOff(pool);

      for (const key of keys) expect(await process([count(key)])).toMatchObject([{ kind: 'accepted', state: 2 }]);
    });

    it('fails the commands of a stream that has a hole already, and says which', async () => {
      const [key, other] = [randomUUID(), randomUUID()];
      await instance()([count(key, 3)]);
      await database.pool.query('DELETE FROM event WHERE stream = $1 AND version = 2', [key]);

      expect(await instance()([count(key), count(other)])).toMatchObject([
        { kind: 'failed', reason: 'The stream has no version 2.' },
        { kind: 'accepted' },
      ]);
    });
  });

  it('fails the one command that Postgres cannot store, and stores the others of its batch', async () => {
    const commands = [count(randomUUID()), count('nul \u0000'), count(randomUUID())];

    const outcomes = await instance()(commands);

    expect(outcomes.map(({ kind }) => kind)).toEqual(['accepted', 'failed', 'accepted']);
  });
});
