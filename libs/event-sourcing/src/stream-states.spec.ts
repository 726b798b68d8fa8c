import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Command, DomainEvent, RecordedEvent } from '@paywright/contracts';
import { StreamStates } from './stream-states.ts';
import { InMemoryEventStore } from './testing/in-memory-event-store.ts';

const stream = 'long';
const happened = (streamVersion: number): RecordedEvent => ({
  ...{ id: randomUUID(), stream, streamVersion, time: 1_000, correlationId: 'request', causationId: randomUUID() },
  ...{ type: 'Counted', version: 1, body: { by: streamVersion } },
});

/** Its state is all that it has met, in order. */
const decider = {
  initialState: [] as readonly number[],
  evolve: (met: readonly number[], { body }: DomainEvent) => [...met, (body as { by: number }).by],
  decide: {},
  snapshot: {
    code: 'met-2',
    every: 10,
    encode: (met: readonly number[]) => met,
    decode: (json: unknown) => json as readonly number[],
  },
};

/** Tells how many events of the stream each look at the store brought. */
class WatchedStore extends InMemoryEventStore {
  readonly read: number[] = [];

  override async load(...parameters: Parameters<InMemoryEventStore['load']>) {
    const stored = await super.load(...parameters);
    this.read.push(stored.get(stream)?.events.length ?? 0);
    return stored;
  }

  override async eventsAfter(...parameters: Parameters<InMemoryEventStore['eventsAfter']>) {
    const events = await super.eventsAfter(...parameters);
    this.read.push(events.length);
    return events;
  }
}

async function loaded(length: number, snapshot?: { code: string; version: number }) {
  const store = new WatchedStore();
  const events = Array.from({ length }, (_, index) => happened(index + 1));
  const state = events.slice(0, snapshot?.version).map(({ streamVersion }) => streamVersion);
  const snapshots = snapshot ? [{ stream, ...snapshot, state }] : [];
  await store.append({ inbox: [], events, personal: [], snapshots });
  const states = new StreamStates<Command, readonly number[], DomainEvent>(decider, store, (event) => event, 1);
  return { ...(await states.load([stream, 'none'])).get(stream)!, read: store.read };
}

const upTo = (length: number) => Array.from({ length }, (_, index) => index + 1);

describe('a stream', () => {
  it('is folded from its beginning no more events at a time than a snapshot is for, where none fits', async () => {
    for (const snapshot of [undefined, { code: 'met-1', version: 20 }])
      expect(await loaded(25, snapshot)).toEqual({
        ...{ version: 25, state: upTo(25), snapshotVersion: 0, defect: null },
        read: [10, 10, 5],
      });
    expect(await loaded(20)).toMatchObject({ version: 20, state: upTo(20), read: [10, 10, 0] });
  });

  it('is read at once behind its snapshot', async () => {
    expect(await loaded(25, { code: 'met-2', version: 20 })).toEqual({
      ...{ version: 25, state: upTo(25), snapshotVersion: 20, defect: null },
      read: [5],
    });
    expect(await loaded(0)).toMatchObject({ version: 0, state: [], read: [0] });
  });
});
