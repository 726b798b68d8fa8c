import { drawIndex } from './draw-index.ts';
import type { EngineCatalog, EngineModel, EnginePaywall } from './engine-catalog.ts';
import type { ContextFacts, PolicyOfModel } from './policy.ts';
import { drawRoute, type Route, type Step } from './traffic.ts';
import { uniform } from './uniform.ts';

/** `seed` is the only source of chance. `baselineOnly`: nobody is known well enough to choose for. */
export interface DecisionRequest {
  readonly placementId: string;
  readonly seed: string;
  readonly baselineOnly: boolean;
  readonly facts: ContextFacts;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface WeighedCandidate extends EnginePaywall {
  readonly score: number;
  readonly probability: number;
}

export interface ServedDecision {
  readonly kind: 'served';
  readonly paywall: EnginePaywall;
  readonly path: readonly [Step, ...Step[]];
  /** The requested placement's model, whatever served; null if it has none. */
  readonly model: EngineModel | null;
  /** Whether the requested placement's own draw was its model. */
  readonly isExperiment: boolean;
  /** What the policy weighed, by rising paywallId; empty where no policy chose. */
  readonly candidates: readonly WeighedCandidate[];
  /** The policy's probability of the paywall, null where no policy chose. */
  readonly probability: number | null;
  readonly modelVersion: string | null;
}

export type EngineDecision = ServedDecision | Exclude<Route, { kind: 'route' }>;

/** Decides a request: draws its way through the traffic, and where an AI model serves, a candidate. Pure. */
export function decide(request: DecisionRequest, catalog: EngineCatalog, policyOf: PolicyOfModel): EngineDecision {
  const route = drawRoute(catalog, request);
  if (route.kind !== 'route') return route;
  const { path, servedBy } = route;
  return {
    kind: 'served',
    path,
    model: catalog.placements.get(request.placementId)?.model ?? null,
    isExperiment: path[0].target === 'ai_model',
    ...(path.at(-1)?.target === 'ai_model' && servedBy.model !== null
      ? choose(request, route, servedBy.model, policyOf)
      : { paywall: servedBy.baseline, candidates: [], probability: null, modelVersion: null }),
  };
}

function choose(
  { seed, facts, at }: DecisionRequest,
  { servedBy, depth }: Extract<Route, { kind: 'route' }>,
  { id, candidates }: EngineModel,
  policyOf: PolicyOfModel,
): Pick<ServedDecision, 'paywall' | 'candidates' | 'probability' | 'modelVersion'> {
  const policy = policyOf(id);
  const { scores, probabilities } = policy.choose({ facts, at, placementId: servedBy.id }, candidates);
  const drawn = drawIndex(probabilities, uniform(seed, `arm/${depth}`));
  const paywall = candidates[drawn];
  if (paywall === undefined) throw new RangeError('The policy weighed other candidates than it was given.');
  return {
    paywall,
    candidates: candidates.map((candidate, index) => ({
      ...candidate,
      score: scores[index] ?? 0,
      probability: probabilities[index] ?? 0,
    })),
    probability: probabilities[drawn] ?? 0,
    modelVersion: policy.version,
  };
}
