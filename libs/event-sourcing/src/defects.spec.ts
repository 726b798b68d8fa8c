import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { RecordedEvent } from '@paywright/contracts';
import { createCommandProcessor } from './command-processor.ts';
import { brokenStore, type DefectName } from './defects.ts';
import { AppendConflict, StoreUnavailable } from './event-store.ts';
import { commandFor } from './testing/command-for.ts';
import { Count, counter } from './testing/counter.ts';
import { InMemoryEventStore } from './testing/in-memory-event-store.ts';

const count = (key: string) => commandFor(Count, { key, body: { by: 1 } });
function instances(defect: DefectName) {
  const store = new InMemoryEventStore();
  const defects = new Set([defect]);
  const instance = () => createCommandProcessor({ decider: counter, store: brokenStore(store, defects), defects });
  return { store, first: instance(), second: instance() };
}

/** Each really breaks what it is named after: else the fault suite would prove nothing by catching it. */
describe('defects', () => {
  it('no-inbox decides a command again', async () => {
    const { first } = instances('no-inbox');
    const command = count(randomUUID());
    await first([command]);
    expect(await first([command])).toMatchObject([{ state: 2 }]);
  });

  it('inbox-in-own-transaction loses the events of a command whose append fails in between', async () => {
    const { first, second, store } = instances('inbox-in-own-transaction');
    const key = randomUUID();
    await first([count(key)]);
    await second([count(key)]);
    await first([count(key)]); // conflicts, finds its own inbox row, and believes it
    expect((await store.load([key], null)).get(key)?.events).toHaveLength(2);
  });

  it('inbox-in-own-transaction answers a command of which a crash in between left no event', async () => {
    const store = new InMemoryEventStore();
    const defects = new Set(['inbox-in-own-transaction'] as const);
    const crash = () => {
      throw new StoreUnavailable('crashed');
    };
    const instance = (afterInbox: () => void) =>
      createCommandProcessor({ decider: counter, store: brokenStore(store, defects, { afterInbox }) });
    const command = count(randomUUID());
    await expect(instance(crash)([command])).rejects.toThrow('crashed');
    expect(await instance(() => undefined)([command])).toMatchObject([{ kind: 'accepted', events: [] }]);
  });

  it('append-without-version loses what another instance made impossible', async () => {
    const { first, second, store } = instances('append-without-version');
    const key = randomUUID();
    await first([count(key)]);
    await second([count(key)]);
    expect(await first([count(key)])).toMatchObject([{ kind: 'accepted', state: 2 }]);
    expect((await store.load([key], null)).get(key)?.events).toHaveLength(2);
  });

  it('no-republication repeats a reply without its events', async () => {
    const { first } = instances('no-republication');
    const command = count(randomUUID());
    const [before] = await first([command]);
    expect(await first([command])).toEqual([{ ...before, events: [] }]);
  });

  it('deadline-before-inbox drops a stored command that comes late', async () => {
    const { first } = instances('deadline-before-inbox');
    const command = count(randomUUID());
    await first([command]);
    expect(await first([command], new Set([command]))).toMatchObject([{ kind: 'expired' }]);
  });

  it('publish-before-append tells of events that are not stored then', async () => {
    const published: string[] = [];
    class Refusing extends InMemoryEventStore {
      override append(): Promise<never> {
        return Promise.reject(new StoreUnavailable('down'));
      }
    }
    const publish = async (events: readonly RecordedEvent[]) =>
      void published.push(...events.map(({ stream }) => stream));
    const store = brokenStore(new Refusing(), new Set(['publish-before-append']), { publish });
    const key = randomUUID();
    await expect(createCommandProcessor({ decider: counter, store })([count(key)])).rejects.toThrow('down');
    expect(published).toEqual([key]);
  });

  it('conflicts-for-ever throws of a command that the inbox has forgotten', async () => {
    const { first, store } = instances('conflicts-for-ever');
    const command = count(randomUUID());
    await first([command]);
    await store.forgetCommandsOlderThan();
    await expect(first([command])).rejects.toThrow(AppendConflict);
  });
});
