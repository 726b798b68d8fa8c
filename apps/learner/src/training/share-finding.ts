import type { AiShare, GuardEvidence } from '@paywright/contracts';
import { compareSides, type EpochStratum, type ShareGuard } from '@paywright/selection-engine';

/** The share that a model's guard leaves AI, and why it came to that. */
export interface ShareFinding {
  readonly aiShare: AiShare;
  readonly evidence: GuardEvidence;
}

/** What the guard's look found; null if it changed nothing. Evidence is what the look was at. */
export function findingOf(before: ShareGuard, after: ShareGuard, strata: readonly EpochStratum[]): ShareFinding | null {
  if (after.factor === before.factor) return null;
  const since = after.factor < before.factor ? (before.epochs.at(-1) ?? 0) : before.triedSince;
  return { aiShare: after.factor, evidence: evidenceOf(strata.filter((stratum) => stratum.since >= since)) };
}

/** At the levels that the engine's `guard` errs by. */
const evidenceOf = (strata: readonly EpochStratum[]): GuardEvidence => ({
  starts: compareSides(strata, 'starts', 0.01),
  usd: compareSides(strata, 'usd', 0.04),
  exposures: strata.reduce((sum, { ai, baseline }) => sum + ai.exposures + baseline.exposures, 0),
});
