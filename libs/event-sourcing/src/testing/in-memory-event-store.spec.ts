import { describe } from '@jest/globals';
import { describeEventStore } from './event-store.contract.ts';
import { InMemoryEventStore } from './in-memory-event-store.ts';

describe('in-memory event store', () => {
  describeEventStore(() => new InMemoryEventStore());
});
