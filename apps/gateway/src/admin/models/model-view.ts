import type { AppSnapshot } from '@paywright/contracts';
import type { ModelChange, NamedObject } from '@paywright/read-model';
import {
  compareSides,
  guard,
  guardAlphas,
  outlookOf,
  sampleRatioOf,
  type Difference,
  type EpochStratum,
  type Statistic,
} from '@paywright/selection-engine';
import { isoTime, isoTimeOrNull } from '../iso-time.ts';
import { concentrationOf } from './concentration.ts';
import { shareSteps, type ShareStep } from './share-steps.ts';
import type { StoredReport } from './trainer-report.ts';

/** A model as it was last published. */
export interface LearnedModel {
  /** As decisions name it. */
  readonly version: string;
  readonly learnedUntil: number;
  /** Exposures that it has learned from; null if this engine cannot read the snapshot. */
  readonly exposures: number | null;
  readonly report: StoredReport;
}

export interface KnownModel {
  readonly model: string;
  readonly snapshot: AppSnapshot;
  /** What it was called, if it is archived; null if it is not, or no catalog had it. */
  readonly former: NamedObject | null;
  /** What the paywalls were called that it has drawn and that are archived, by id. */
  readonly formerPaywalls: ReadonlyMap<string, NamedObject>;
  /** Null before anything was learned: candidates are shown evenly. */
  readonly learned: LearnedModel | null;
  /** Newest first. */
  readonly changes: readonly ModelChange[];
}

const evenly = 'uniform-1';

/**
 * A model for people: what it knows, how it shares, and what its guard makes of it.
 * @param now milliseconds since the epoch
 */
export function modelView(known: KnownModel, now: number) {
  const { model, snapshot, learned, changes, former } = known;
  const steps = shareSteps(changes);
  const described = snapshot.document.models.find(({ id }) => id === model);
  return {
    asOf: isoTime(now),
    id: model,
    name: described?.name ?? former?.name ?? null,
    aiPricingModelId: snapshot.ids.models[model] ?? former?.number ?? null,
    state: stateOf(described !== undefined, learned, changes),
    version: learned?.version ?? evenly,
    learnedUntil: isoTimeOrNull(learned?.learnedUntil ?? null),
    decisionsLearned: learned === null ? 0 : learned.exposures,
    starts: learned?.report.starts ?? 0,
    candidates: candidateViews(described?.candidates ?? [], known),
    guardrail: guardrailView(learned?.report ?? null, steps),
    driftAlarms: learned?.report.driftAlarms ?? 0,
    promises: learned?.report.promises ?? [],
    concentration: concentrationOf(learned?.report.promises ?? []),
    lastRebuild: rebuildView(learned?.report.rebuild ?? null),
    changes: changes.map((change, index) => changeView(change, steps[index] ?? null)),
  };
}

/** `uniform` shows all candidates alike, until something was learned. */
export const modelStates = ['uniform', 'learning', 'frozen', 'archived'] as const;

function stateOf(isInCatalog: boolean, learned: LearnedModel | null, changes: readonly ModelChange[]) {
  if (!isInCatalog) return 'archived';
  const freeze = changes.find(({ type }) => type === 'ModelFrozen' || type === 'ModelUnfrozen');
  if (freeze?.type === 'ModelFrozen') return 'frozen';
  return learned === null || learned.exposures === 0 ? 'uniform' : 'learning';
}

/** Those of the catalog, and those that were drawn before. Shares are of all that AI has drawn, not of today. */
function candidateViews(candidates: readonly string[], { snapshot, learned, formerPaywalls }: KnownModel) {
  const { document, ids } = snapshot;
  const draws = new Map(learned?.report.draws.map((count) => [count.paywall, count]));
  const all = [...draws.values()].reduce((sum, { drawn }) => sum + drawn, 0);
  return [...new Set([...candidates, ...draws.keys()])].map((paywall) => {
    const { drawn = 0, shown = 0 } = draws.get(paywall) ?? {};
    const former = formerPaywalls.get(paywall);
    return {
      paywall,
      paywallId: ids.paywalls[paywall] ?? former?.number ?? null,
      externalId: document.paywalls.find(({ id }) => id === paywall)?.externalId ?? former?.externalId ?? null,
      isCandidate: candidates.includes(paywall),
      drawn,
      shown,
      share: all === 0 ? null : drawn / all,
    };
  });
}

function guardrailView(report: StoredReport | null, steps: readonly (ShareStep | null)[]) {
  const newest = report?.guard.epochs.at(-1) ?? 0;
  const strata = (report?.strata ?? []).filter(({ since }) => since >= newest);
  // What one side showed while the other had no traffic is compared with nothing.
  const compared = strata.filter(({ ai, baseline }) => ai.exposures > 0 && baseline.exposures > 0);
  const sumsOf = (what: 'exposures' | 'starts') => ({
    aiModel: compared.reduce((sum, { ai }) => sum + ai[what], 0),
    baseline: compared.reduce((sum, { baseline }) => sum + baseline[what], 0),
  });
  return {
    aiShare: steps.find((step) => step !== null)?.aiShare ?? 1,
    verdict: strata.length === 0 ? ('open' as const) : guard(strata),
    since: newest === 0 ? null : isoTime(newest),
    exposures: sumsOf('exposures'),
    startsCompared: sumsOf('starts'),
    sampleRatio: sampleRatioOf(strata),
    starts: difference(strata, 'starts'),
    usd: difference(strata, 'usd'),
    outlook: outlookShares.flatMap((share) => {
      const outlook = outlookOf(strata, share);
      return outlook === null ? [] : [{ share, ...outlook }];
    }),
  };
}

/** Differences that people ask for before they decide how long to wait: shares of what Baseline brings. */
const outlookShares = [0.5, 0.2, 0.1, 0.05] as const;

/** AI minus Baseline an exposure, at every look together; null while either side has fewer than 40 starts. */
function difference(
  strata: readonly EpochStratum[],
  statistic: Statistic,
): { difference: number; low: number; high: number } | null {
  const found: Difference | null = compareSides(strata, statistic, guardAlphas[statistic]);
  if (found === null) return null;
  const { difference: value, halfWidth } = found;
  return { difference: value, low: value - halfWidth, high: value + halfWidth };
}

/** What came of the newest rebuild, in the losses that decided. */
function rebuildView(rebuild: StoredReport['rebuild']) {
  if (rebuild === null) return null;
  const { night, isPromoted, liveLoss, rebuiltLoss, judgedExposures, exposures } = rebuild;
  const losses = { live: liveLoss, rebuilt: rebuiltLoss };
  return { dueAt: isoTime(night), isPromoted, losses, judgedDecisions: judgedExposures, decisionsLearned: exposures };
}

function changeView({ time, type, body }: ModelChange, step: ShareStep | null) {
  return {
    time: isoTime(time),
    type,
    actor: 'actor' in body ? (body.actor ?? null) : null,
    aiShare: step?.aiShare ?? null,
    formerAiShare: step?.formerAiShare ?? null,
    evidence: 'evidence' in body ? body.evidence : null,
  };
}
