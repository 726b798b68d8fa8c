import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@paywright/platform';
import { createCommandProcessor } from './command-processor.ts';
import { brokenStore, type DefectName } from './defects.ts';
import { commandFor } from './testing/command-for.ts';
import { Count, counter } from './testing/counter.ts';
import { InMemoryEventStore } from './testing/in-memory-event-store.ts';

const clock = new ManualClock(Date.UTC(2026, 5, 1));
const count = (key: string, deadline = Number.MAX_SAFE_INTEGER) =>
  commandFor(Count, { key, body: { by: 1 }, deadline });
function instances(defect: DefectName) {
  const store = new InMemoryEventStore();
  const defects = new Set([defect]);
  const instance = () =>
    createCommandProcessor({ decider: counter, store: brokenStore(store, defects), clock, defects });
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
    const command = count(randomUUID(), clock.now());
    await first([command]);
    clock.advance(2_000);
    expect(await first([command])).toMatchObject([{ kind: 'expired' }]);
  });
});
