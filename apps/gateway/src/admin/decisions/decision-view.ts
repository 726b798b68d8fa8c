import type { DecisionRow, DecisionYield } from '@paywright/read-model';
import { isoTime, isoTimeOrNull } from '../iso-time.ts';
import { decisionSentence } from './decision-sentence.ts';

/** A decision as lists show it. */
export const decisionView = ({ time, decision, superseded }: DecisionRow) => ({
  id: decision.decisionId,
  time: isoTime(time),
  placementId: decision.placementId,
  target: decision.target,
  paywallId: decision.paywallId,
  externalId: decision.externalId,
  isExperiment: decision.isExperiment,
  aiPricingModelId: decision.aiPricingModelId,
  modelVersion: decision.modelVersion,
  catalogRevision: decision.catalogRevision,
  fallback: decision.fallback,
  superseded,
});

/** What came of a decision. */
export interface DecisionOutcome extends DecisionYield {
  /** Milliseconds since the epoch; null if no view was reported. */
  readonly shownAt: number | null;
}

/** A decision with all that explains it. */
export function decisionExplanation(row: DecisionRow, { shownAt, conversions, revenueUsd }: DecisionOutcome) {
  const { decision } = row;
  return {
    ...decisionView(row),
    profileId: decision.profileId,
    context: decision.context,
    path: decision.path,
    candidates: decision.candidates.map(({ paywallId, externalId, score, probability }) => ({
      paywallId,
      externalId,
      score,
      probability,
    })),
    probability: decision.probability,
    seed: decision.seed,
    latencyMs: decision.latencyMs,
    stickyTo: decision.stickyTo,
    outcome: { shownAt: isoTimeOrNull(shownAt), conversions, revenueUsd },
    sentence: decisionSentence(row),
  };
}
