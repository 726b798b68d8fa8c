import type { Weighing } from '@paywright/contracts';
import {
  propensities,
  type Choice,
  type ChoiceContext,
  type EngineCatalog,
  type EngineModel,
  type EnginePaywall,
  type LearnedChoice,
  type Policy,
  type PolicyOfModel,
  type ServedDecision,
} from '@paywright/selection-engine';

/** What a policy makes of the candidates; what it learned is there if it has learned. */
type Made = Choice & Partial<LearnedChoice>;

/** Hands policies out, and remembers what the last one made of the candidates: that is logged, not computed again. */
export class WatchedPolicies {
  readonly #policyOf: PolicyOfModel;
  #made: Made | null = null;

  constructor(policyOf: PolicyOfModel) {
    this.#policyOf = policyOf;
  }

  readonly policyOf: PolicyOfModel = (model) => {
    const policy = this.#policyOf(model);
    return {
      version: policy.version,
      choose: (context, candidates) => (this.#made = policy.choose(context, candidates)),
    };
  };

  /** As it was when it chose; chosen anew if nothing did. */
  madeBy(policy: Policy, context: ChoiceContext, candidates: readonly EnginePaywall[]): Made {
    return this.#made ?? policy.choose(context, candidates);
  }
}

export interface Weighed {
  readonly catalog: EngineCatalog;
  readonly policies: WatchedPolicies;
  /** Of the request; its placement is the requested one. */
  readonly context: ChoiceContext;
  readonly utcOffsetMinutes: number | null;
}

/**
 * How AI and Baseline would have shown each candidate where the decision ended.
 * @returns null where neither was drawn, or AI has no traffic: there is nothing to compare then
 */
export function weighingOf({ path }: ServedDecision, weighed: Weighed): Weighing | null {
  const last = path.at(-1);
  const served = last === undefined ? undefined : weighed.catalog.placements.get(last.placementId);
  if (last?.weight == null || served === undefined || served.model === null) return null;
  const weights = weightsOf(served.model);
  if (weights.ai === 0) return null;
  const { policies, context, utcOffsetMinutes } = weighed;
  const { model, baseline } = served;
  const policy = policies.policyOf(model.id);
  const made = policies.madeBy(policy, { ...context, placementId: served.id }, model.candidates);
  const place = model.candidates.findIndex(({ paywall }) => paywall === baseline.paywall);
  const shown = propensities(made.probabilities, weights, place);
  return {
    model: model.id,
    policy: policy.version,
    aiWeight: weights.ai,
    baselineWeight: weights.baseline,
    baselinePaywall: baseline.paywall,
    baselinePropensity: shown.baseline,
    utcOffsetMinutes,
    ...calibrationOf(made),
    candidates: model.candidates.map(({ paywall }, index) => ({
      paywall,
      score: made.scores[index] ?? 0,
      variance: made.variances?.[index] ?? null,
      probability: made.probabilities[index] ?? 0,
      value: made.values?.[index] ?? null,
      propensity: shown.candidates[index] ?? 0,
    })),
  };
}

const calibrationOf = ({ calibration, horizonDays }: Made): Pick<Weighing, 'calibration'> =>
  calibration === undefined || horizonDays === undefined ? {} : { calibration: { ...calibration, horizonDays } };

function weightsOf({ traffic }: EngineModel): { readonly ai: number; readonly baseline: number } {
  let [ai, baseline] = [0, 0];
  for (const { target, weight } of traffic) {
    if (target === 'ai_model') ai += weight;
    else if (target === 'baseline') baseline += weight;
  }
  return { ai, baseline };
}
