import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import type { RecordedEvent } from '@paywright/contracts';
import { type Append, AppendConflict, type EventStore, type InboxEntry } from '../event-store.ts';

const nothing: Append = { inbox: [], events: [], personal: [], snapshots: [] };

const happened = (stream: string, streamVersion: number, body: unknown = { n: streamVersion }): RecordedEvent => ({
  id: randomUUID(),
  stream,
  streamVersion,
  time: Date.UTC(2026, 1, 3, 4, 5, 6, 789),
  correlationId: 'a-trace',
  causationId: randomUUID(),
  type: 'Counted',
  version: 1,
  body,
});

const met = (stream: string, firstVersion: number, lastVersion: number, reply = '{"b":1,"a":2}'): InboxEntry => ({
  commandId: randomUUID(),
  stream,
  firstVersion,
  lastVersion,
  reply,
});

/** What every event store promises. */
export function describeEventStore(storeOf: () => EventStore): void {
  it('gives back a stream as it was appended, in version order', async () => {
    const store = storeOf();
    const [stream, other] = [randomUUID(), randomUUID()];
    const body = { text: 'quote " backslash \\ comma , brace { line\n', nothing: null, number: 0.1, list: [[], {}] };
    const events = [happened(stream, 1, body), happened(stream, 2)];
    await store.append({ ...nothing, events: [...events, happened(other, 1)] });

    const stored = await store.load([stream, 'unknown'], null);

    expect(stored.get(stream)).toEqual({ snapshot: null, events });
    expect(stored.has('unknown')).toBe(false);
  });

  it('knows what a stream has by its id', async () => {
    const store = storeOf();
    const [stream, other] = [randomUUID(), randomUUID()];
    const event = happened(stream, 1);
    await store.append({ ...nothing, events: [event] });

    expect(await store.hasEvent(stream, event.id)).toBe(true);
    expect(await store.hasEvent(other, event.id)).toBe(false);
    expect(await store.hasEvent(stream, randomUUID())).toBe(false);
  });

  it('takes a version once, and then nothing of that append', async () => {
    const store = storeOf();
    const [stream, other] = [randomUUID(), randomUUID()];
    await store.append({ ...nothing, events: [happened(stream, 1)] });
    const entry = met(other, 1, 1);

    const late = store.append({ ...nothing, inbox: [entry], events: [happened(other, 1), happened(stream, 1)] });

    await expect(late).rejects.toBeInstanceOf(AppendConflict);
    expect((await store.load([other], null)).size).toBe(0);
    expect((await store.findOutcomes([entry])).size).toBe(0);
  });

  it('takes a command once', async () => {
    const store = storeOf();
    const stream = randomUUID();
    const entry = met(stream, 1, 1);
    await store.append({ ...nothing, inbox: [entry], events: [happened(stream, 1)] });

    const again = store.append({ ...nothing, inbox: [{ ...entry, firstVersion: 2, lastVersion: 1 }] });

    await expect(again).rejects.toBeInstanceOf(AppendConflict);
  });

  it('takes an event id once', async () => {
    const store = storeOf();
    const event = happened(randomUUID(), 1);
    await store.append({ ...nothing, events: [event] });

    const again = store.append({ ...nothing, events: [{ ...event, streamVersion: 2 }] });

    await expect(again).rejects.toBeInstanceOf(AppendConflict);
  });

  it('tells what a command led to, its reply byte for byte', async () => {
    const store = storeOf();
    const stream = randomUUID();
    const events = [1, 2, 3].map((version) => happened(stream, version));
    const [first, none, second] = [met(stream, 1, 1), met(stream, 2, 1, '{"refused" : true}'), met(stream, 2, 3)];
    await store.append({ ...nothing, inbox: [first, none, second], events });

    const outcomes = await store.findOutcomes([second, first, none, met(stream, 1, 1)]);

    expect(outcomes.size).toBe(3);
    expect(outcomes.get(first.commandId)).toEqual({ reply: first.reply, events: events.slice(0, 1), personal: null });
    expect(outcomes.get(none.commandId)).toEqual({ reply: none.reply, events: [], personal: null });
    expect(outcomes.get(second.commandId)?.events).toEqual(events.slice(1));
  });

  it('asks for a command in its own stream alone', async () => {
    const store = storeOf();
    const entry = met(randomUUID(), 1, 0);
    await store.append({ ...nothing, inbox: [entry] });

    expect((await store.findOutcomes([{ ...entry, stream: randomUUID() }])).size).toBe(0);
    expect((await store.findOutcomes([entry])).size).toBe(1);
  });

  it('merges personal fields: absent stays, null clears', async () => {
    const store = storeOf();
    const stream = randomUUID();
    const change = (version: number, changes: object) => {
      const personal = [{ stream, version, erased: false, changes }];
      return store.append({ ...nothing, events: [happened(stream, version)], personal });
    };

    const first = await change(1, { email: 'a@example.org', phone: '1', ip: null });
    const second = await change(2, { phone: null, username: 'a' });

    expect(first.get(stream)).toEqual({ version: 1, fields: { email: 'a@example.org', phone: '1' } });
    expect(second.get(stream)).toEqual({ version: 2, fields: { email: 'a@example.org', username: 'a' } });
    expect(await store.findPersonal([randomUUID(), stream])).toEqual(second);
  });

  it('erases personal fields, and begins anew behind', async () => {
    const store = storeOf();
    const stream = randomUUID();
    const change = (version: number, erased: boolean, changes: object) => {
      const personal = [{ stream, version, erased, changes }];
      return store.append({ ...nothing, events: [happened(stream, version)], personal });
    };
    await change(1, false, { email: 'a@example.org', phone: '1' });

    expect((await change(2, true, {})).get(stream)).toEqual({ version: 2, fields: {} });
    expect((await change(3, false, { phone: '2' })).get(stream)).toEqual({ version: 3, fields: { phone: '2' } });
    expect((await change(4, true, { username: 'a' })).get(stream)).toEqual({ version: 4, fields: { username: 'a' } });
  });

  it('reads a stream from its snapshot on, if the snapshot is of the code', async () => {
    const store = storeOf();
    const stream = randomUUID();
    const events = [1, 2, 3].map((version) => happened(stream, version));
    const snapshot = { stream, version: 2, code: 'v1', state: { seen: [1, 2] } };
    await store.append({ ...nothing, events: events.slice(0, 2), snapshots: [snapshot] });
    await store.append({ ...nothing, events: events.slice(2) });

    expect((await store.load([stream], 'v1')).get(stream)).toEqual({ snapshot, events: events.slice(2) });
    expect((await store.load([stream], 'v2')).get(stream)).toEqual({ snapshot: null, events });
    expect((await store.load([stream], null)).get(stream)).toEqual({ snapshot: null, events });
  });

  it('reads of a stream no more events than are wanted, and those behind them', async () => {
    const store = storeOf();
    const [stream, other] = [randomUUID(), randomUUID()];
    const events = [1, 2, 3, 4, 5].map((version) => happened(stream, version));
    const [short] = [happened(other, 1)];
    const snapshot = { stream, version: 1, code: 'v1', state: { seen: [1] } };
    await store.append({ ...nothing, events: [...events, short], snapshots: [snapshot] });

    const both = await Promise.all([store.load([stream, other], null, 2), store.load([stream], null, 3)]);
    expect(both.map((stored) => stored.get(stream)?.events)).toEqual([events.slice(0, 2), events.slice(0, 3)]);
    expect(both[0].get(other)?.events).toEqual([short]);
    expect((await store.load([stream], 'v1', 2)).get(stream)).toEqual({ snapshot, events: events.slice(1, 3) });
    expect(await store.eventsAfter(stream, 2, 2)).toEqual(events.slice(2, 4));
    expect(await store.eventsAfter(stream, 4, 2)).toEqual(events.slice(4));
    expect(await store.eventsAfter(stream, 5, 2)).toEqual([]);
  });

  it('keeps the newest snapshot', async () => {
    const store = storeOf();
    const stream = randomUUID();
    const events = [1, 2, 3, 4].map((version) => happened(stream, version));
    const snapshotAt = (version: number) => ({ stream, version, code: 'v1', state: { version } });
    await store.append({ ...nothing, events: events.slice(0, 2), snapshots: [snapshotAt(2)] });
    await store.append({ ...nothing, events: events.slice(2), snapshots: [snapshotAt(4)] });

    expect((await store.load([stream], 'v1')).get(stream)).toEqual({ snapshot: snapshotAt(4), events: [] });
  });

  it('keeps concurrent appends apart: one that conflicts costs the others nothing', async () => {
    const store = storeOf();
    const taken = randomUUID();
    await store.append({ ...nothing, events: [happened(taken, 1)] });
    const streams = Array.from({ length: 20 }, () => randomUUID());

    const results = await Promise.allSettled(
      [...streams, taken].map((stream) => store.append({ ...nothing, events: [happened(stream, 1)] })),
    );

    expect(results.map(({ status }) => status)).toEqual([...streams.map(() => 'fulfilled'), 'rejected']);
    expect((await store.load(streams, null)).size).toBe(20);
  });
}
