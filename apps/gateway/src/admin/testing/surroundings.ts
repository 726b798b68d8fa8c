import { ManualClock, Metrics, SystemClock } from '@paywright/platform';
import { StoreAccess } from '@paywright/store-credentials';
import { InMemoryCredentialsBook } from '@paywright/store-credentials/testing';
import type { StoreSettings } from '@paywright/stores';
import { z } from 'zod';
import { Apps } from '../../catalog/apps.ts';
import { InMemoryIdempotencyStore } from '../../idempotency/in-memory-idempotency-store.ts';
import { limitsConfig } from '../../limits/limits-config.ts';
import { RateLimits } from '../../limits/rate-limits.ts';
import { FakeCatalogService } from './fake-catalog-service.ts';
import { FakeDeadLetters } from './fake-dead-letters.ts';
import { FakeReadModel } from './fake-read-model.ts';

export const startedAt = Date.UTC(2026, 0, 1);
export const limits = z.object(limitsConfig).parse({});

/** What the admin API stands on, new for each test. */
export function newSurroundings(stores: StoreSettings) {
  const clock = new ManualClock(startedAt);
  const apps = new Apps();
  const metrics = new Metrics({ service: 'gateway' });
  const catalogService = new FakeCatalogService(apps, () => clock.now());
  const deadLetters = new FakeDeadLetters();
  const credentials = new InMemoryCredentialsBook(clock);
  return {
    clock,
    apps,
    metrics,
    catalogService,
    deadLetters,
    commands: deadLetters.before(catalogService),
    readModel: new FakeReadModel(),
    credentials,
    stores: new StoreAccess({ book: credentials, settings: stores, clock, wallClock: new SystemClock() }),
    idempotencyKeys: new InMemoryIdempotencyStore(),
    rateLimits: new RateLimits(limits, clock, metrics, 10),
  };
}
export type Surroundings = ReturnType<typeof newSurroundings>;
