import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DomainEvent, RecordedEvent } from '@paywright/contracts';
import { EventLog, PostgresEventStore, StreamStates } from '@paywright/event-sourcing';
import { type EventStoreDatabase, eventStoreDatabase } from '@paywright/event-sourcing/testing';
import { stateRecords } from './state-records.ts';

let database: EventStoreDatabase;
beforeAll(async () => {
  database = await eventStoreDatabase();
}, 30_000);
afterAll(async () => database[Symbol.asyncDispose]());

/** Its state is the sum of what it has met; of a broken event nothing can be read. */
const decider = {
  initialState: 0,
  evolve: (total: number, { body }: DomainEvent) => total + (body as { by: number }).by,
  decide: {},
  snapshot: {
    code: 'total-1',
    every: 3,
    encode: (total: number) => ({ total }),
    decode: (json: unknown) => (json as { total: number }).total,
  },
};

const recorded = (stream: string, streamVersion: number, type = 'Counted'): RecordedEvent => ({
  ...{ id: randomUUID(), stream, streamVersion, time: 1_000, correlationId: 'request', causationId: randomUUID() },
  ...{ type, version: 1, body: { by: 1 } },
});

/** Tells states, and to another topic what became of them. */
const extraRecords = ({ events, state }: { readonly events: readonly RecordedEvent[]; readonly state: number }) =>
  events.flatMap(({ stream: key, streamVersion: version }) =>
    ['states', 'changes'].map((topic) => ({ topic, key, headers: {}, value: JSON.stringify({ state, version }) })),
  );

/** What is told of a stream of so many events, of which a snapshot holds the first, and which of them were read for it. */
async function toldOf(events: readonly RecordedEvent[], snapshotVersion = 0) {
  const { stream } = events[0]!;
  const { code, encode } = decider.snapshot;
  const snapshot = { stream, version: snapshotVersion, code, state: encode(snapshotVersion) };
  const store = new PostgresEventStore(database.pool);
  await store.append({ inbox: [], events, snapshots: snapshotVersion > 0 ? [snapshot] : [], personal: [] });
  const folded: number[] = [];
  const evolve = (total: number, event: DomainEvent) => {
    folded.push((event as RecordedEvent).streamVersion);
    return decider.evolve(total, event);
  };
  const upcast = (event: RecordedEvent) => {
    if (event.type === 'Broken') throw new TypeError('an upcaster with a defect');
    return event;
  };
  const states = new StreamStates({ ...decider, evolve }, store, upcast, 1);
  const telling = { log: new EventLog(database.pool), states, extraRecords, upcast };
  const records = await stateRecords('states', stream, telling);
  return { folded, records: records.map(({ topic, key, value }) => ({ topic, key, ...JSON.parse(String(value)) })) };
}

describe('stateRecords', () => {
  it('tells what the newest event of a stream led to on the topic', async () => {
    const { records } = await toldOf([1, 2].map((version) => recorded('a', version)));
    expect(records).toEqual([{ topic: 'states', key: 'a', state: 2, version: 2 }]);
  });

  it('reads of a long stream what came behind its snapshot', async () => {
    const told = await toldOf(
      [1, 2, 3, 4].map((version) => recorded('b', version)),
      3,
    );
    expect(told).toEqual({ folded: [4], records: [{ topic: 'states', key: 'b', state: 4, version: 4 }] });
  });

  it('tells also where the snapshot is the newest', async () => {
    const told = await toldOf(
      [1, 2, 3].map((version) => recorded('c', version)),
      3,
    );
    expect(told).toEqual({ folded: [], records: [{ topic: 'states', key: 'c', state: 3, version: 3 }] });
  });

  it('tells nothing of a stream that cannot be read, so that the others are told', async () => {
    const { records } = await toldOf([recorded('d', 1, 'Broken'), recorded('d', 2)]);
    expect(records).toEqual([]);
  });
});
