import {
  PaywallServed,
  refuse,
  type AiShares,
  type Refusal,
  type ServedPaywall,
  type ServePaywall,
} from '@paywright/contracts';
import type { Decision } from '@paywright/event-sourcing';
import { addDuration, type Clock } from '@paywright/platform';
import {
  decide,
  findServable,
  type EngineCatalog,
  type EnginePaywall,
  type EnginePlacement,
  type Policy,
} from '@paywright/selection-engine';
import type { SelectionState, StickyDecision } from './selection-state.ts';
import { WatchedPolicies, weighingOf } from './weighing.ts';

/** What a decision is made with, besides its command and its profile's past. */
export interface DecisionInputs {
  /** As it is served: with the traffic that guards leave to AI. */
  readonly catalogOf: (appId: number) => EngineCatalog | undefined;
  /** The models whose AI traffic that catalog has reduced. */
  readonly aiSharesOf?: (appId: number) => AiShares | null;
  readonly policyOf: (appId: number, model: string) => Policy;
  /** Minutes that the user's clock is ahead of UTC, null if the time zone is unknown; without it, time is UTC. */
  readonly utcOffsetOf?: (timezone: string, at: number) => number | null;
  /** Measures how long the decision was waited for; decides nothing. */
  readonly clock: Clock;
}

type Served = PaywallServed['body'];
type Outcome = Pick<
  Served,
  | 'isExperiment'
  | 'target'
  | 'path'
  | 'modelVersion'
  | 'candidates'
  | 'probability'
  | 'stickyUntil'
  | 'stickyTo'
  | 'weighing'
  | 'aiShares'
> & { readonly paywall: EnginePaywall };

/**
 * Chooses a paywall: the one that the profile keeps at this placement, or a new draw.
 * @returns one PaywallServed; or PLACEMENT_NOT_FOUND, CIRCULAR_PLACEMENT_ALLOCATION with the circle, or
 * SERVICE_UNAVAILABLE while the catalog revision that may answer at the earliest is not known here
 */
export const servePaywall =
  (inputs: DecisionInputs) =>
  (command: ServePaywall, state: SelectionState): Decision<PaywallServed> => {
    const { placementId, catalogRevision } = command.body;
    const catalog = inputs.catalogOf(command.appId);
    if (catalog === undefined || catalog.revision < catalogRevision) {
      return refuse('SERVICE_UNAVAILABLE', 'The catalog that this request needs is not here yet. Try again.');
    }
    const placement = catalog.placements.get(placementId);
    if (placement === undefined) {
      return refuse('PLACEMENT_NOT_FOUND', 'placementId names no placement of this app.');
    }
    const outcome = repeatKept(command, placement, catalog, state) ?? draw(command, placement, catalog, state, inputs);
    return 'code' in outcome ? outcome : accept(command, placement, catalog, outcome, inputs.clock);
  };

/** What the profile was given here before, while it is to keep it and it can still be served. */
function repeatKept(
  { issuedAt, body }: ServePaywall,
  { id, stickyFor }: EnginePlacement,
  catalog: EngineCatalog,
  { sticky }: SelectionState,
): Outcome | null {
  const kept = sticky.get(id);
  if (kept === undefined || stickyFor === null || body.baselineOnly || issuedAt >= kept.until) return null;
  const { profileCreatedAt } = body.context;
  if (kept.profileCreatedAt !== profileCreatedAt) return null;
  const paywall = findServable(catalog, id, kept.target, kept.paywall);
  return paywall && { ...outcomeOfKept(kept), paywall };
}

const outcomeOfKept = (kept: StickyDecision): Omit<Outcome, 'paywall'> => ({
  isExperiment: kept.isExperiment,
  target: kept.target,
  path: kept.path,
  modelVersion: kept.modelVersion,
  candidates: [],
  probability: kept.probability,
  stickyUntil: kept.until,
  stickyTo: kept.decisionId,
});

function draw(
  { id, appId, issuedAt, body }: ServePaywall,
  { stickyFor }: EnginePlacement,
  catalog: EngineCatalog,
  { superseded }: SelectionState,
  { policyOf, utcOffsetOf, aiSharesOf }: DecisionInputs,
): Outcome | Refusal {
  const { placementId, baselineOnly, context } = body;
  const request = { placementId, seed: id, baselineOnly, facts: context, at: issuedAt };
  const policies = new WatchedPolicies((model) => policyOf(appId, model));
  const decision = decide(request, catalog, policies.policyOf);
  if (decision.kind === 'circular') {
    const chain = decision.chain.join(' -> ');
    return refuse('CIRCULAR_PLACEMENT_ALLOCATION', `Circular placement allocation detected: ${chain}`);
  }
  if (decision.kind === 'unknown-placement')
    throw new Error('Traffic leads to a placement that is not in the catalog.');
  const isFirst = stickyFor !== null && !baselineOnly && !superseded.includes(id);
  const { timezone } = context;
  const utcOffsetMinutes = timezone === null ? null : (utcOffsetOf?.(timezone, issuedAt) ?? null);
  const weighing = weighingOf(decision, { catalog, policies, context: request, utcOffsetMinutes });
  const aiShares = aiSharesOf?.(appId) ?? null;
  return {
    paywall: decision.paywall,
    isExperiment: decision.isExperiment,
    target: decision.path[0].target,
    path: [...decision.path],
    modelVersion: decision.modelVersion,
    candidates: [...decision.candidates],
    probability: decision.probability,
    stickyUntil: isFirst ? addDuration(issuedAt, stickyFor) : null,
    stickyTo: null,
    ...(weighing !== null && { weighing }),
    ...(aiShares !== null && { aiShares: { ...aiShares } }),
  };
}

function accept(
  { id, appId, key, issuedAt, body }: ServePaywall,
  { model }: EnginePlacement,
  { revision }: EngineCatalog,
  { paywall, isExperiment, ...outcome }: Outcome,
  clock: Clock,
): Decision<PaywallServed> {
  const reply: ServedPaywall = {
    decisionId: id,
    placementId: body.placementId,
    paywall: paywall.paywall,
    paywallId: paywall.paywallId,
    catalogRevision: revision,
    isExperiment,
    aiPricingModelId: model?.modelId ?? null,
    abTestId: model?.abTestId ?? null,
  };
  const served = PaywallServed.of({
    ...reply,
    ...outcome,
    appId,
    profileId: key,
    externalId: paywall.externalId,
    seed: id,
    context: body.context,
    latencyMs: Math.max(0, Math.round(clock.now() - issuedAt)),
    fallback: null,
  });
  return { events: [served], reply };
}
