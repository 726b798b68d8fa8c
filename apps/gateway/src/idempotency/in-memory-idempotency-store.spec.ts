import { describeIdempotencyStore } from './idempotency-store.contract.ts';
import { InMemoryIdempotencyStore } from './in-memory-idempotency-store.ts';

describeIdempotencyStore('idempotency keys in memory', () => new InMemoryIdempotencyStore());
