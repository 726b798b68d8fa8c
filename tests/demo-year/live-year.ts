import { Presets, SingleBar } from 'cli-progress';
import { Admin } from '../conformance/clients.ts';
import type { Rates } from './compare/rates.ts';
import { catalogOf } from './driver/catalog.ts';
import { compareAll, type Comparison } from './driver/compare-all.ts';
import { CustomerRun } from './driver/customer-run.ts';
import type { ProductAddresses } from './driver/find-product.ts';
import { Gateway } from './driver/gateway.ts';
import { playYear, type YearCounts } from './driver/play-year.ts';
import { SimulatedStores } from './driver/simulated-stores.ts';
import { drawYear } from './plan/draw-year.ts';
import { troublesOf } from './plan/troubles.ts';
import type { State } from './model/expectation.ts';
import type { DayOfStates } from './report/state-chart.ts';

export interface YearToLive {
  readonly product: ProductAddresses;
  readonly rates: Rates;
  readonly customers: number;
  readonly days: number;
  readonly seed: string;
  /** Tells this run from others on the same product. */
  readonly run: string;
}

export interface LivedYear {
  readonly comparisons: readonly Comparison[];
  readonly counts: YearCounts;
  readonly states: readonly DayOfStates[];
}

/** Days at whose end the books are compared: four times, and in the end. */
const checkpointsOf = (days: number): readonly number[] => [
  ...new Set([0.1, 0.3, 0.5, 0.75, 1].map((share) => Math.ceil(days * share) - 1)),
];

/** Makes an app that sells in all three stores, and its customers' year. */
export async function liveYear({ product, rates, customers, days, seed, run }: YearToLive): Promise<LivedYear> {
  const { gateway, stores } = await openApp(product, run);
  const drawn = drawYear({ seed, customers, days, startsAt: await stores.now() });
  const runs = drawn.map((customer) => new CustomerRun(customer, { gateway, stores, run }));
  const checkpoints = checkpointsOf(days);
  const comparisons: Comparison[] = [];
  const states: DayOfStates[] = [];
  const bar = new SingleBar(
    {
      format: '  {bar} {percentage}% | day {value}/{total} | {duration_formatted}, left {eta_formatted}',
      ...{ noTTYOutput: true, notTTYSchedule: 10_000, etaBuffer: 30 },
    },
    Presets.shades_classic,
  );
  bar.start(days, 0);
  const endOfDay = async (day: number): Promise<void> => {
    const observer = { gateway, rates, now: () => stores.now() };
    states.push({ day, counts: statesOf(runs, await stores.now()) });
    if (checkpoints.includes(day)) comparisons.push(await compareAll(runs, day, observer));
    bar.update(day + 1);
  };
  const troubles = (day: number) => troublesOf(seed, day, days, checkpoints);
  try {
    const counts = await playYear({ days, runs, stores, troublesOf: troubles, endOfDay });
    return { comparisons, counts, states };
  } finally {
    bar.stop();
  }
}

async function openApp(product: ProductAddresses, run: string): Promise<{ gateway: Gateway; stores: SimulatedStores }> {
  const admin = new Admin(product.gateway, product.adminToken);
  const must = async (method: string, path: string, body: object) => {
    const answer = await admin.call(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} /admin/v1${path}: ${answer.status} ${answer.text}`);
    return answer.body.data;
  };
  const app: { id: number; secretKey: string } = await must('POST', '/apps', { name: `Demo year ${run}` });
  const bundleId = `com.example.year${run}`;
  await must('PUT', `/apps/${app.id}/catalog`, catalogOf(bundleId));
  const stores = new SimulatedStores(product.simulator, app.id);
  const keys = await stores.register(bundleId, product.gateway);
  for (const [store, body] of [
    ['app-store', keys.appStore],
    ['play-store', keys.playStore],
    ['stripe', keys.stripe],
  ] as const)
    await must('PUT', `/apps/${app.id}/credentials/${store}`, body);
  return { gateway: new Gateway(product, { appId: app.id, secretKey: app.secretKey }), stores };
}

function statesOf(runs: readonly CustomerRun[], now: number): DayOfStates['counts'] {
  const counts: Partial<Record<State, number>> = {};
  for (const run of runs)
    for (const profileId of run.profileIds) {
      const { state } = run.expectation(profileId, now);
      counts[state] = (counts[state] ?? 0) + 1;
    }
  return counts;
}
