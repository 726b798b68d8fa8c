import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { createLogger, ManualClock } from '@paywright/platform';
import { InMemoryIdempotencyStore } from './in-memory-idempotency-store.ts';
import { purgeExpired } from './purge-expired.ts';

const clock = new ManualClock(1_000);
const lines: string[] = [];
const logger = createLogger({ service: 'gateway', level: 'warn' }, { write: (line) => void lines.push(line) });

beforeEach(() => mock.timers.enable({ apis: ['setInterval'] }));
afterEach(() => mock.timers.reset());

async function pass(ms: number): Promise<void> {
  mock.timers.tick(ms);
  await turn(); // the store's answers come
}

it('forgets, once a minute, all that has expired, and goes on after a fault', async () => {
  const store = new InMemoryIdempotencyStore();
  const purged: number[] = [];
  const purge = store.purge.bind(store);
  store.purge = async (now, limit) => {
    if (purged.length === 0) purged.push(-1);
    else purged.push(await purge(now, limit));
    if (purged.length === 1) throw new Error('the database is away');
    return purged.at(-1) ?? 0;
  };
  for (let i = 0; i < 1_500; i += 1) {
    const scope = { appId: 1, method: 'POST', path: '/', key: String(i) };
    const times = { now: 1_000, leaseUntil: 1_000, expiresAt: 2_000 };
    await store.claim({ scope, fingerprint: Buffer.alloc(32), commandId: String(i), ...times });
  }
  const stop = purgeExpired([store], clock, logger);
  clock.set(2_000);
  await pass(60_000);
  await pass(60_000);
  expect(purged).toEqual([-1, 1_000, 500]);
  expect(lines).toHaveLength(1);
  stop();
  await pass(120_000);
  expect(purged).toHaveLength(3);
});
