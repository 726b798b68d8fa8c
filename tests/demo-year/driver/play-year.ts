import type { Step } from '../plan/customer.ts';
import type { Troubles } from '../plan/troubles.ts';
import type { CustomerRun } from './customer-run.ts';
import { inLanes } from './lanes.ts';
import type { SimulatedStores } from './simulated-stores.ts';

const lanes = 12;

export interface Year {
  readonly days: number;
  readonly runs: readonly CustomerRun[];
  readonly stores: SimulatedStores;
  readonly troublesOf: (day: number) => Troubles;
  /** Called at the end of each day, before the night. */
  readonly endOfDay: (day: number) => Promise<void>;
}

/** Counts of what came to pass, for the report. */
export interface YearCounts {
  deeds: number;
  /** Reports that a shut store could not confirm. */
  putOff: number;
  disturbedNotifications: number;
  shutDays: number;
}

interface Diary {
  readonly run: CustomerRun;
  /** Steps that are still to come. */
  readonly steps: Step[];
}

/** Lives all days. What a shut store does not answer is tried again on the next one, as an app would. */
export async function playYear({ days, runs, stores, troublesOf, endOfDay }: Year): Promise<YearCounts> {
  const counts: YearCounts = { deeds: 0, putOff: 0, disturbedNotifications: 0, shutDays: 0 };
  const diaries: readonly Diary[] = runs.map((run) => ({ run, steps: [...run.customer.steps] }));
  for (let day = 0; day < days; day++) {
    const troubles = troublesOf(day);
    if (troubles.shut) {
      await stores.shut(troubles.shut);
      counts.shutDays++;
    }
    const today = diaries.filter(({ run, steps }) => (steps[0] ? steps[0].day : arrivalDay(run)) <= day);
    await inLanes(today, lanes, (diary) => liveDay(diary, day, counts));
    await endOfDay(day);
    for (const { store, how, count } of troubles.disturbed) {
      await stores.disturbNotifications(store, how, count);
      counts.disturbedNotifications += count;
    }
    await stores.advance('P1D');
    if (troubles.shut || troubles.disturbed.length > 0) await stores.mend();
  }
  return counts;
}

/** Who buys nothing only looks in. */
const arrivalDay = ({ customer }: CustomerRun): number => (customer.steps.length === 0 ? 0 : Infinity);

async function liveDay({ run, steps }: Diary, day: number, counts: YearCounts): Promise<void> {
  if (run.profileIds.length === 0) await run.arrive();
  for (let next = steps[0]; next && next.day <= day; next = steps[0]) {
    counts.deeds++;
    if (!(await run.act(next.deed))) {
      counts.putOff++;
      return;
    }
    steps.shift();
  }
}
