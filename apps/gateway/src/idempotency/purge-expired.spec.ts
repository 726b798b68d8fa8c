import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, expect, it } from '@jest/globals';
import { createLogger, ManualClock } from '@paywright/platform';
import { InMemoryIdempotencyStore } from './in-memory-idempotency-store.ts';
import { purgeExpired } from './purge-expired.ts';

const clock = new ManualClock(2_000);
let lines: string[];
const logger = createLogger({ service: 'gateway', level: 'warn' }, { write: (line) => void lines.push(line) });
beforeEach(() => void (lines = []));

const someTurns = async () => {
  for (let turns = 0; turns < 20; turns++) await turn();
};

async function storeWith(expired: number): Promise<InMemoryIdempotencyStore> {
  const store = new InMemoryIdempotencyStore();
  for (let i = 0; i < expired; i += 1) {
    const scope = { appId: 1, method: 'POST', path: '/', key: String(i) };
    const times = { now: 1_000, leaseUntil: 1_000, expiresAt: 2_000 };
    await store.claim({ scope, fingerprint: Buffer.alloc(32), commandId: String(i), ...times });
  }
  return store;
}

it('begins at once, goes on until nothing that has expired is left, and then rests', async () => {
  const purged: number[] = [];
  const counting = (store: InMemoryIdempotencyStore) => ({
    purge: async (now: number, limit: number) => {
      purged.push(await store.purge(now, limit));
      return purged.at(-1)!;
    },
  });
  const stop = purgeExpired([counting(await storeWith(1_500)), counting(await storeWith(7))], clock, logger);
  await someTurns();
  expect(purged).toEqual([1_000, 7, 500, 0]);
  await stop();
  expect([purged.length, lines]).toEqual([4, []]);
});

it('has ended its last step when it is stopped', async () => {
  const { promise, resolve } = Promise.withResolvers<number>();
  const stop = purgeExpired([{ purge: () => promise }], clock, logger);
  let isStopped = false;
  const stopping = stop().then(() => (isStopped = true));
  await someTurns();
  expect(isStopped).toBe(false);
  resolve(1_000); // there is more, which waits for another start
  await stopping;
});

it('tells of a fault', async () => {
  const stop = purgeExpired([{ purge: () => Promise.reject(new Error('the database is away')) }], clock, logger);
  await someTurns();
  await stop();
  expect(lines).toEqual([expect.stringContaining('the database is away')]);
});
