import type { DecisionRow } from '@paywright/read-model';
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

/** What came of a decision. Nothing is bought through this version of the service, so there are no conversions. */
export interface DecisionOutcome {
  /** Milliseconds since the epoch; null if no view was reported. */
  readonly shownAt: number | null;
}

/** A decision with all that explains it. */
export function decisionExplanation(row: DecisionRow, { shownAt }: DecisionOutcome) {
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
    outcome: { shownAt: isoTimeOrNull(shownAt), conversions: 0, revenueUsd: '0.00' },
    sentence: decisionSentence(row),
  };
}
