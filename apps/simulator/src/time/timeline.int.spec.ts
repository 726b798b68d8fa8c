import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { createLogger, ManualClock, SimulatedClock } from '@paywright/platform';
import { Delivery } from '../delivery/delivery.ts';
import { Questions } from '../delivery/questions.ts';
import { buy } from '../domain/buy.ts';
import { storeNames } from '../domain/purchase.ts';
import { boughtAt, sale, trial } from '../domain/testing/sale.ts';
import { Faults } from '../http/faults.ts';
import { Journal } from '../http/journal.ts';
import { Records } from '../state/records.ts';
import { SimulatorState } from '../state/simulator-state.ts';
import { Followers } from './followers.ts';
import { Timeline } from './timeline.ts';

const hour = 3_600_000;
const day = 24 * hour;
const logger = createLogger({ service: 'simulator', level: 'error' });

let folder: string;
let state: SimulatorState;
let clock: SimulatedClock;
let timeline: Timeline;
/** What happened, and what the clock said when it was told; -1: it was not told yet. */
let written: { readonly at: number; clock: number; readonly id: string }[];

class ObservedDelivery extends Delivery {
  override deliver(...told: Parameters<Delivery['deliver']>): Promise<void> {
    for (const one of written) if (one.clock === -1) one.clock = clock.now();
    return super.deliver(...told);
  }
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'timeline-'));
  state = new SimulatorState(new Records(folder));
  clock = new SimulatedClock(new ManualClock(boughtAt));
  written = [];
  const headers = { 'app-store': async () => ({}), 'play-store': async () => ({}), stripe: async () => ({}) };
  const parts = {
    state,
    clock,
    faults: new Faults(),
    journal: new Journal(clock),
    questions: new Questions(),
    headers,
  };
  timeline = new Timeline({
    ...{ state, clock, logger, followers: new Followers(clock, logger), delivery: new ObservedDelivery(parts) },
    write: ({ purchase, news }) => {
      if (news) written.push({ at: news.at, clock: -1, id: purchase.id });
      return [];
    },
  });
});
afterEach(() => {
  state.close();
  rmSync(folder, { recursive: true });
});

/** Thirty purchases of all stores, each an odd while after the one before. */
async function buyThirty(): Promise<void> {
  for (let number = 0; number < 30; number += 1) {
    const store = storeNames[number % 3]!;
    const period = ['P1W', 'P1M', 'PT5H'][number % 3]!;
    const terms = { ...sale().terms, period };
    const offer = number % 2 === 0 ? trial : null;
    await timeline.happen([
      buy(sale({ store, id: `purchase-${number}`, terms, offer }), boughtAt + number * 47 * 60_000),
    ]);
  }
  written = [];
}

it('lets everything happen in the order of time, over all stores, at its time', async () => {
  await buyThirty();
  await timeline.advance(20 * day);
  const times = written.map(({ at }) => at);
  expect(times.length).toBeGreaterThan(400);
  expect(times).toEqual([...times].sort((a, b) => a - b));
  for (const { at, clock: said } of written) {
    expect(said).toBeGreaterThanOrEqual(at);
    expect(said - at).toBeLessThanOrEqual(6 * hour);
  }
  expect(clock.now()).toBe(boughtAt + 20 * day);
});

it('comes to the same in one leap and in many steps', async () => {
  await buyThirty();
  const before = [...state.purchases.values()];
  await timeline.advance(15 * day);
  const atOnce = [...state.purchases.values()];
  state.put({ purchases: before });
  clock = new SimulatedClock(new ManualClock(boughtAt));
  const inSteps = new Timeline({
    ...{ state, clock, logger, followers: new Followers(clock, logger), write: () => [] },
    delivery: new Delivery({
      ...{ state, clock, faults: new Faults(), journal: new Journal(clock), questions: new Questions() },
      headers: { 'app-store': async () => ({}), 'play-store': async () => ({}), stripe: async () => ({}) },
    }),
  });
  for (let step = 0; step < 15 * 8; step += 1) await inSteps.advance(3 * hour);
  expect([...state.purchases.values()]).toEqual(atOnce);
});

it('tells of a purchase’s own news one by one, however close they are', async () => {
  const terms = { ...sale().terms, period: 'P1D' };
  await timeline.happen([buy(sale({ terms, waits: { grace: null, retry: null } }), boughtAt)]);
  written = [];
  await timeline.advance(5 * day + hour);
  expect(written.map(({ at }) => (at - boughtAt) / day)).toEqual([1, 2, 3, 4, 5]);
  expect(written.every(({ at, clock: said }) => said === at)).toBe(true);
});
