import { z } from 'zod';
import type { AdminCall } from '../demo/admin-api.ts';
import { UsageError } from '../local/usage-error.ts';
import type { ReportOptions } from './options.ts';

const decimal = z.string().nullable();
const Mean = z.object({ usd: z.string(), low: decimal, high: decimal }).nullable();
const Figures = z.object({
  requests: z.number(),
  draws: z.number(),
  uniqueImpressions: z.number(),
  conversions: z.number(),
  payers: z.number(),
  drawPayers: z.number(),
  revenueUsd: z.string(),
  unvaluedCurrencies: z.array(z.string()),
  revenuePerImpression: Mean,
  revenuePerDraw: Mean,
});
export type Figures = z.output<typeof Figures>;

const Compared = z.object({ draws: z.number(), usdPerDraw: z.string() });
const Comparison = z
  .object({
    aiModel: Compared,
    baseline: Compared,
    difference: z.object({ usd: z.string(), low: decimal, high: decimal }),
  })
  .nullable();
const Placement = z.object({
  placementId: z.string(),
  model: z.string().nullable(),
  from: z.string(),
  to: z.string(),
  targets: z.array(
    Figures.extend({
      target: z.string(),
      paywalls: z.array(Figures.extend({ paywallId: z.number(), externalId: z.string() })),
    }),
  ),
  comparison: Comparison,
});
const Days = z.object({
  days: z.array(
    z.object({
      day: z.iso.date(),
      targets: z.array(
        z.object({
          target: z.string(),
          requests: z.number(),
          draws: z.number(),
          uniqueImpressions: z.number(),
          conversions: z.number(),
          drawConversions: z.number(),
          revenueUsd: z.string(),
          drawRevenueUsd: z.string(),
        }),
      ),
      comparison: Comparison,
    }),
  ),
});
export type PlacementDays = z.output<typeof Days>['days'];
export type PlacementReport = z.output<typeof Placement> & { readonly days: PlacementDays };

const Interval = z.object({ difference: z.number(), low: z.number(), high: z.number() }).nullable();
const Model = z.object({
  asOf: z.iso.datetime(),
  id: z.string(),
  name: z.string().nullable(),
  state: z.string(),
  version: z.string(),
  learnedUntil: z.string().nullable(),
  decisionsLearned: z.number().nullable(),
  starts: z.number(),
  driftAlarms: z.number(),
  promises: z.array(z.object({ exposures: z.number(), promisedUsd: z.number(), broughtUsd: z.number() })),
  concentration: z.object({ promised: z.number().nullable(), brought: z.number().nullable() }),
  candidates: z.array(
    z.object({
      paywall: z.string(),
      externalId: z.string().nullable(),
      isCandidate: z.boolean(),
      drawn: z.number(),
      shown: z.number(),
      share: z.number().nullable(),
    }),
  ),
  guardrail: z.object({
    aiShare: z.number(),
    verdict: z.enum(['worse', 'better', 'open']),
    since: z.string().nullable(),
    exposures: z.object({ aiModel: z.number(), baseline: z.number() }),
    startsCompared: z.object({ aiModel: z.number(), baseline: z.number() }),
    sampleRatio: z.object({ aiShare: z.number(), expectedAiShare: z.number(), isOff: z.boolean() }).nullable(),
    starts: Interval,
    usd: Interval,
    // Gateways of former versions tell none.
    outlook: z.array(z.object({ share: z.number(), usd: z.number(), exposures: z.number() })).default([]),
  }),
  changes: z.array(
    z.object({
      time: z.string(),
      type: z.string(),
      actor: z.string().nullable(),
      aiShare: z.number().nullable(),
      formerAiShare: z.number().nullable(),
    }),
  ),
});
export type ModelReport = z.output<typeof Model>;

const Exploration = z.object({
  from: z.string(),
  to: z.string(),
  isWhole: z.boolean(),
  decisions: z.number(),
  candidates: z.number().nullable(),
  effectiveCandidates: z.number().nullable(),
  evenShare: z.number().nullable(),
  expected: z
    .object({ decisions: z.number(), bestUsd: z.number(), drawnUsd: z.number(), bestShare: z.number() })
    .nullable(),
});
export type Exploration = z.output<typeof Exploration>;

const Evaluation = z.object({
  policy: z.string(),
  from: z.string(),
  to: z.string(),
  days: z.number(),
  usdPerDecision: z.object({ value: z.number(), low: z.number(), high: z.number() }).nullable(),
  refusal: z.string().nullable(),
  effectiveSampleSize: z.number(),
  decisions: z.number(),
  earning: z.number(),
  caution: z.string().nullable(),
});
export type Evaluation = z.output<typeof Evaluation>;

/** All that a page tells. */
export interface Report {
  readonly app: string;
  /** What the catalog draws among for the model; null where it has the model no more. */
  readonly traffic: readonly string[] | null;
  /** Whether a placement of the catalog has it. */
  readonly isServed: boolean;
  readonly model: ModelReport;
  readonly exploration: Exploration;
  readonly placements: readonly PlacementReport[];
  readonly evaluations: readonly Evaluation[];
}

const App = z.object({ name: z.string() });
const Catalog = z.object({
  models: z.array(z.object({ id: z.string(), traffic: z.array(z.object({ target: z.string() })) })),
  placements: z.array(z.object({ id: z.string(), model: z.string().nullable() })),
});

/**
 * Asks the admin API for everything.
 * @throws UnexpectedAnswer as the gateway answers; UsageError where the model serves no placement
 */
export async function collectReport(
  call: AdminCall,
  { appId, model, placements, from, to, days }: Omit<ReportOptions, 'dataDir' | 'gateway' | 'token' | 'out'>,
): Promise<Report> {
  const app = `/apps/${appId}`;
  const [{ name }, told, catalog] = await Promise.all([
    call('GET', app, App),
    call('GET', `${app}/models/${model}`, Model),
    call('GET', `${app}/catalog`, Catalog),
  ]);
  const served = catalog.placements.filter((placement) => placement.model === model).map(({ id }) => id);
  const traffic = catalog.models.find(({ id }) => id === model)?.traffic.map(({ target }) => target) ?? null;
  const wanted = placements.length > 0 ? placements : served;
  if (wanted.length === 0) throw new UsageError(`No placement is served by ${model} now: name one with --placement.`);
  const period = queryOf({ from, to });
  const ofModel = queryOf({ model, from, to });
  const reports: PlacementReport[] = [];
  // One after the other: each may read much.
  for (const id of wanted) {
    const path = `${app}/reports/placements/${encodeURIComponent(id)}`;
    const placement = await call('GET', `${path}${ofModel}`, Placement);
    const { days } = await call('GET', `${path}/days${ofModel}`, Days);
    reports.push({ ...placement, days });
  }
  const exploration = await call('GET', `${app}/models/${model}/exploration${period}`, Exploration);
  const evaluations: Evaluation[] = [];
  for (const policy of policiesOf(told))
    evaluations.push(
      await call('GET', `${app}/models/${model}/evaluation${queryOf({ policy, from, to, days })}`, Evaluation),
    );
  return {
    ...{ app: name, traffic, isServed: served.length > 0, model: told },
    ...{ exploration, placements: reports, evaluations },
  };
}

const policiesOf = ({ candidates }: ModelReport): readonly string[] => [
  ...['ai', 'baseline', 'uniform', 'current'],
  ...candidates.filter(({ isCandidate }) => isCandidate).map(({ paywall }) => `paywall:${paywall}`),
];

function queryOf(parameters: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(parameters).flatMap<[string, string]>(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}
