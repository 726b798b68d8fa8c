import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { RecordedEvent } from '@paywright/contracts';
import { createCommandProcessor } from './command-processor.ts';
import { type Append, AppendConflict, AppendRejected, StoreUnavailable } from './event-store.ts';
import { describeCommandProcessor } from './testing/command-processor.contract.ts';
import { commandFor } from './testing/command-for.ts';
import { Count, counter, snapshottingCounter } from './testing/counter.ts';
import { InMemoryEventStore } from './testing/in-memory-event-store.ts';

const count = (key: string, by: number) => commandFor(Count, { key, body: { by } });
const old = (stream: string, body: unknown): RecordedEvent => {
  const event = { id: randomUUID(), stream, streamVersion: 1, time: 0, correlationId: 'c', causationId: 'c' };
  return { ...event, type: 'Counted', version: 1, body };
};
const withEvent = async (event: RecordedEvent) => {
  const store = new InMemoryEventStore();
  await store.append({ inbox: [], events: [event], personal: [], snapshots: [] });
  return store;
};

/** Its appends do what is told first: return, or throw. */
class FaultyStore extends InMemoryEventStore {
  readonly appended: Append[] = [];
  readonly #faults: Error[];

  constructor(faults: Error[]) {
    super();
    this.#faults = faults;
  }

  override append(append: Append) {
    this.appended.push(append);
    const fault = this.#faults.shift();
    return fault ? Promise.reject(fault) : super.append(append);
  }
}

describe('command processor', () => {
  describeCommandProcessor(() => new InMemoryEventStore());

  it('reads old events in their newest shape', async () => {
    const key = randomUUID();
    const upcasters = [{ type: 'Counted', version: 1, to: 2, upcast: (body: unknown) => ({ by: Number(body) }) }];
    const store = await withEvent(old(key, '41'));

    for (const state of [42, 43]) {
      const outcomes = await createCommandProcessor({ decider: counter, store, upcasters })([count(key, 1)]);
      expect(outcomes).toMatchObject([{ kind: 'accepted', state }]);
    }
  });

  it('begins with no two upcasters of one event type and version', () => {
    const upcaster = { type: 'Counted', version: 1, to: 2, upcast: (body: unknown) => body };
    const store = new InMemoryEventStore();
    expect(() =>
      createCommandProcessor({ decider: counter, store, upcasters: [upcaster, { ...upcaster, to: 3 }] }),
    ).toThrow('two upcasters');
  });

  it('fails the commands of a stream that an upcaster cannot read, and no others', async () => {
    const [key, other] = [randomUUID(), randomUUID()];
    const upcast = () => {
      throw new TypeError('no such shape');
    };
    const store = await withEvent(old(key, {}));
    await createCommandProcessor({ decider: counter, store })([count(key, 9)]);
    const process = createCommandProcessor({
      decider: snapshottingCounter,
      store,
      upcasters: [{ type: 'Counted', version: 1, to: 2, upcast }],
    });

    expect(await process([count(key, 1), count(other, 1)])).toMatchObject([{ kind: 'failed' }, { kind: 'accepted' }]);
    expect((await store.load([key], 'counter-1')).get(key)).toMatchObject({ snapshot: null, events: { length: 10 } });
  });

  it('fails the one command that the store will never take, and stores the others of its batch', async () => {
    const [taken, refused] = [count(randomUUID(), 1), count(randomUUID(), 2)];
    class RefusingStore extends InMemoryEventStore {
      override append(append: Append) {
        const isRefused = append.inbox.some(({ commandId }) => commandId === refused.id);
        return isRefused ? Promise.reject(new AppendRejected('too much')) : super.append(append);
      }
    }
    const process = createCommandProcessor({ decider: counter, store: new RefusingStore() });

    expect(await process([refused, taken])).toMatchObject([{ kind: 'failed', reason: 'too much' }, { state: 1 }]);
  });

  it('passes on a fault of the infrastructure, and can repeat the batch after it', async () => {
    const store = new FaultyStore([new StoreUnavailable('gone')]);
    const process = createCommandProcessor({ decider: counter, store });
    const batch = [count(randomUUID(), 1), count(randomUUID(), 2)];

    await expect(process(batch)).rejects.toBeInstanceOf(StoreUnavailable);
    expect(await process(batch)).toMatchObject([{ state: 1 }, { state: 2 }]);
  });

  it('tries a batch four times, then its commands one by one', async () => {
    const store = new FaultyStore(Array.from({ length: 4 }, () => new AppendConflict('again')));
    const process = createCommandProcessor({ decider: counter, store });

    expect(await process([count(randomUUID(), 1), count(randomUUID(), 1)])).toMatchObject([{ state: 1 }, { state: 1 }]);
    expect(store.appended.map(({ inbox }) => inbox.length)).toEqual([2, 2, 2, 2, 1, 1]);
  });

  it('gives a command up whose conflicts do not end, though nothing says that it was carried out', async () => {
    const store = new FaultyStore(Array.from({ length: 4 }, () => new AppendConflict('again')));
    const process = createCommandProcessor({ decider: counter, store });

    await expect(process([count(randomUUID(), 1)])).rejects.toBeInstanceOf(AppendConflict);
  });

  it('appends without a question when it knows the streams', async () => {
    class CountingStore extends InMemoryEventStore {
      questions = 0;
      override load(...parameters: Parameters<InMemoryEventStore['load']>) {
        this.questions += 1;
        return super.load(...parameters);
      }
      override findOutcomes(...parameters: Parameters<InMemoryEventStore['findOutcomes']>) {
        this.questions += 1;
        return super.findOutcomes(...parameters);
      }
    }
    const store = new CountingStore();
    const process = createCommandProcessor({ decider: counter, store });
    const key = randomUUID();
    await process([count(key, 1)]);
    store.questions = 0;

    await process([count(key, 1)]);

    expect(store.questions).toBe(0);
  });

  it('does not remember what it stored on a server that another one has replaced meanwhile', async () => {
    class FailingOver extends InMemoryEventStore {
      server = 0;
      answering = Promise.resolve();
      readonly loaded: string[] = [];
      override get epoch() {
        return this.server;
      }
      override async append(append: Append) {
        await this.answering;
        return super.append(append);
      }
      override load(streams: readonly string[], code: string | null) {
        this.loaded.push(...streams);
        return super.load(streams, code);
      }
    }
    const store = new FailingOver();
    const process = createCommandProcessor({ decider: counter, store });
    const [key, other] = [randomUUID(), randomUUID()];
    const { promise, resolve } = Promise.withResolvers<void>();
    store.answering = promise;
    const late = process([count(key, 1)]);
    await setImmediate(); // it has loaded the stream, and waits for its append
    store.server = 1;
    store.answering = Promise.resolve();
    await process([count(other, 1)]);
    resolve();
    await late;
    store.loaded.length = 0;

    await process([count(key, 1), count(other, 1)]);

    expect(store.loaded).toEqual([key]);
  });
});
