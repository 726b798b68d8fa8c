import { decide, type EngineDecision } from './decide.ts';
import type { EngineCatalog } from './engine-catalog.ts';
import type { ContextFacts, PolicyOfModel } from './policy.ts';
import type { Step, Target } from './traffic.ts';

/**
 * A decision as it was recorded (the body of `PaywallServed` is one). It is a first decision: what a sticky
 * repeat repeats must be replayed in its place.
 */
export interface DecisionRecord {
  readonly placementId: string;
  readonly paywall: string;
  readonly isExperiment: boolean;
  readonly target: Target;
  readonly path: readonly Step[];
  readonly candidates: readonly { readonly paywall: string; readonly score: number; readonly probability: number }[];
  readonly probability: number | null;
  readonly modelVersion: string | null;
  readonly seed: string;
  readonly context: ContextFacts;
}

export interface Replay {
  /** Whether the same way, the same weighing, bit for bit, and the same paywall came out. */
  readonly same: boolean;
  readonly decision: EngineDecision;
}

/**
 * Decides again from the record.
 * @param at the decision's time, in milliseconds since the epoch
 * @param catalog of the revision that the record names
 * @param policyOf the policies as of the record's `modelVersion`
 */
export function replayDecision(
  record: DecisionRecord,
  at: number,
  catalog: EngineCatalog,
  policyOf: PolicyOfModel,
): Replay {
  const { placementId, seed, context: facts } = record;
  // Where nothing was drawn at the requested placement, Baseline was given undrawn: by a fallback too.
  const baselineOnly = record.path[0]?.weight === null;
  const decision = decide({ placementId, seed, baselineOnly, facts, at }, catalog, policyOf);
  return { same: decision.kind === 'served' && isSame(record, decision), decision };
}

function isSame(record: DecisionRecord, decided: Extract<EngineDecision, { kind: 'served' }>): boolean {
  return (
    record.paywall === decided.paywall.paywall &&
    record.isExperiment === decided.isExperiment &&
    record.target === decided.path[0].target &&
    record.probability === decided.probability &&
    record.modelVersion === decided.modelVersion &&
    areEqual(record.path, decided.path, ['placementId', 'target', 'weight']) &&
    areEqual(record.candidates, decided.candidates, ['paywall', 'score', 'probability'])
  );
}

const areEqual = <Row>(ones: readonly Row[], others: readonly Row[], fields: readonly (keyof Row)[]): boolean =>
  ones.length === others.length && ones.every((one, index) => fields.every((f) => one[f] === others[index]?.[f]));
