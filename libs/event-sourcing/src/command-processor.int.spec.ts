import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { untilAnswered } from '@paywright/platform';
import { startTestRuntime, type TestRuntime } from '@paywright/testing';
import type { Pool } from 'pg';
import { createCommandProcessor } from './command-processor.ts';
import { type EventStore, isConflict, StoreUnavailable } from './event-store.ts';
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

const instance = (store: EventStore = new PostgresEventStore(database.pool)) =>
  createCommandProcessor({ decider: counter, store });
const count = (key: string, by = 1) => commandFor(Count, { key, body: { by } });
const versionsOf = async (pool: Pool, stream: string) => {
  const { rows } = await pool.query('SELECT version FROM event WHERE stream = $1 ORDER BY version', [stream]);
  return rows.map(({ version }) => Number(version));
};
const eventsOf = (stream: string) => versionsOf(database.pool, stream);

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

  describe('when the server is another one, which lacks the last commits', () => {
    let server: TestRuntime;
    let failing: EventStoreDatabase;
    beforeAll(async () => {
      server = await startTestRuntime({ kafka: false });
      failing = await eventStoreDatabase('streams', server.databaseUrl);
      // Tests' servers do not wait for the disk: a crash would lose more than the test deletes.
      await failing.pool.query('SET synchronous_commit = on; ALTER ROLE CURRENT_USER SET synchronous_commit = on');
    });
    afterAll(async () => {
      await failing[Symbol.asyncDispose]();
      await server.stop();
    });

    const lose = async (key: string, version: number) => {
      await failing.pool.query('DELETE FROM event WHERE stream = $1 AND version >= $2', [key, version]);
      await failing.pool.query('DELETE FROM inbox WHERE stream = $1 AND last_version >= $2', [key, version]);
    };

    /** Its processes start over, and all connections break, as when the system kills one of them. */
    const crash = async (pool: Pool) => {
      const broken = once(pool, 'error');
      await failing.pool.query(`COPY (SELECT 1) TO PROGRAM 'kill -9 $PPID'`).catch(() => undefined);
      await broken;
      await untilAnswered(() => failing.pool.query('SELECT 1'), {
        pause: { firstMs: 20, lastMs: 20 },
        passes: () => true,
      });
    };

    const storedVersions = (key: string) => versionsOf(failing.pool, key);

    it('leaves no hole: it appends to what is stored, and not to what it remembers', async () => {
      const key = randomUUID();
      const pool = failing.anotherPool();
      let others = 0;
      const process = instance(new PostgresEventStore(pool, () => (others += 1)));
      for (const by of [1, 2, 3]) await process([count(key, by)]);
      expect(others).toBe(0);
      await lose(key, 4);
      await crash(pool);

      expect(await process([count(key)])).toMatchObject([{ kind: 'accepted', state: 4 }]);
      expect(await storedVersions(key)).toEqual([1, 2, 3, 4]);
      expect(others).toBe(1);
    });

    it('leaves no hole behind what it has just loaded either', async () => {
      const key = randomUUID();
      const pool = failing.anotherPool();
      let afterLoad = async () => {
        afterLoad = async () => undefined;
        await lose(key, 4);
        await crash(pool);
      };
      class WatchedStore extends PostgresEventStore {
        override async load(...parameters: Parameters<PostgresEventStore['load']>) {
          const loaded = await super.load(...parameters);
          await afterLoad();
          return loaded;
        }
      }
      await instance(new PostgresEventStore(failing.pool))([count(key, 6)]);

      expect(await instance(new WatchedStore(pool))([count(key)])).toMatchObject([{ kind: 'accepted', state: 4 }]);
      expect(await storedVersions(key)).toEqual([1, 2, 3, 4]);
    });

    it('decides on what is stored in place of what it remembers', async () => {
      const key = randomUUID();
      const pool = failing.anotherPool();
      const process = instance(new PostgresEventStore(pool));
      for (const by of [1, 2]) await process([count(key, by)]);
      await lose(key, 2);
      await crash(pool);
      const byOne: typeof counter = {
        ...counter,
        decide: { ...counter.decide, Count: ({ body }) => ({ events: [Counted.of({ by: body.by })], reply: {} }) },
      };
      const other = createCommandProcessor({ decider: byOne, store: new PostgresEventStore(failing.pool) });
      await other([count(key, 500), count(key, 499)]);

      // Its version is 3, and in memory too; its total is 1,000, in memory 3.
      expect(await process([count(key)])).toMatchObject([{ kind: 'refused' }]);
    });

    it('forgets all that it remembered', async () => {
      const keys = [randomUUID(), randomUUID()] as const;
      const pool = failing.anotherPool();
      const process = instance(new PostgresEventStore(pool));
      for (const key of keys) await process([count(key, 3)]);
      for (const key of keys) await lose(key, 2);
      await crash(pool);

      for (const key of keys) expect(await process([count(key)])).toMatchObject([{ kind: 'accepted', state: 2 }]);
    });

    it('uses no connection to the former one, which may go on by itself', async () => {
      const [key, pool] = [randomUUID(), database.anotherPool()];
      const store = new PostgresEventStore(pool);
      await instance(store)([count(key)]);
      const former = await pool.connect();
      Object.assign(pool.options, { connectionString: failing.databaseUrl }); // where the next connection leads
      expect((await store.load([key], null)).size).toBe(0);
      former.release(); // the next that is handed out

      expect((await store.load([key], null)).size).toBe(0);
    });
  });

  describe('while the server is the same', () => {
    class CountingStore extends PostgresEventStore {
      appends = 0;
      loads = 0;
      override append(...parameters: Parameters<PostgresEventStore['append']>) {
        this.appends += 1;
        return super.append(...parameters);
      }
      override load(...parameters: Parameters<PostgresEventStore['load']>) {
        this.loads += 1;
        return super.load(...parameters);
      }
    }

    it('appends at once what it remembers on a connection that is opened for it', async () => {
      const [key, pool] = [randomUUID(), database.anotherPool()];
      const store = new CountingStore(pool);
      const process = instance(store);
      await process([count(key)]);
      const busy = await pool.connect();

      expect(await process([count(key)])).toMatchObject([{ kind: 'accepted', state: 2 }]);
      busy.release();
      expect(store).toMatchObject({ appends: 2, loads: 1 });
    });

    it('remembers other streams when a statement takes too long and its connection is closed', async () => {
      const [slow, key] = [randomUUID(), randomUUID()];
      const pool = database.anotherPool({ patienceMs: 500 });
      const store = new CountingStore(pool);
      const process = instance(store);
      for (const stream of [slow, key]) await process([count(stream)]);
      const blocker = await database.pool.connect();
      await blocker.query('BEGIN');
      await blocker.query('LOCK TABLE event IN SHARE ROW EXCLUSIVE MODE');
      await expect(process([count(slow)])).rejects.toBeInstanceOf(StoreUnavailable);
      await blocker.query('ROLLBACK');
      blocker.release();
      Object.assign(store, { appends: 0, loads: 0 });

      expect(await process([count(key)])).toMatchObject([{ kind: 'accepted', state: 2 }]);
      expect(store).toMatchObject({ appends: 1, loads: 0 });
    });
  });

  it('fails the commands of a stream that has a hole, and says which version is missing', async () => {
    const [key, other] = [randomUUID(), randomUUID()];
    await instance()([count(key, 3)]);
    await database.pool.query('DELETE FROM event WHERE stream = $1 AND version = 2', [key]);

    expect(await instance()([count(key), count(other)])).toMatchObject([
      { kind: 'failed', reason: 'The stream has no version 2.' },
      { kind: 'accepted' },
    ]);
  });

  it('goes on with such a stream once the missing version is put back', async () => {
    const key = randomUUID();
    const process = instance();
    await instance()([count(key, 3)]);
    const { rows } = await database.pool.query<{ row: string }>(
      'DELETE FROM event WHERE stream = $1 AND version = 2 RETURNING to_jsonb(event)::text AS row',
      [key],
    );
    expect(await process([count(key)])).toMatchObject([{ kind: 'failed' }]);
    await database.pool.query('INSERT INTO event SELECT * FROM jsonb_populate_record(NULL::event, $1)', [rows[0]!.row]);

    expect(await process([count(key)])).toMatchObject([{ kind: 'accepted', state: 4 }]);
  });

  it('fails the one command that Postgres cannot store, and stores the others of its batch', async () => {
    const commands = [count(randomUUID()), count('nul \u0000'), count(randomUUID())];

    const outcomes = await instance()(commands);

    expect(outcomes.map(({ kind }) => kind)).toEqual(['accepted', 'failed', 'accepted']);
  });
});
