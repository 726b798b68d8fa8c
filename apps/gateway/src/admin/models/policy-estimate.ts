import { snips } from '@paywright/selection-engine';
import { earningsInterval, leastPayers } from '../reports/ratio-interval.ts';
import type { PolicyLog } from './policy-log.ts';
import { weightedSpread } from './weighted-spread.ts';

/** Below that many effective decisions the engine gives no answer. */
const leastEffective = 200;

/** USD a decision, or in a sentence why there is no number. */
export interface PolicyEstimate {
  readonly usdPerDecision: { readonly value: number; readonly low: number; readonly high: number } | null;
  readonly refusal: string | null;
  /** (Σw)²/Σw²: so many decisions of the policy's own would tell as much. */
  readonly effectiveSampleSize: number;
  /** Of one decision; null without an estimate. */
  readonly greatestWeight: number | null;
  readonly decisions: number;
  /** Decisions that earned, and that the policy might have made. */
  readonly earning: number;
  readonly notOffered: number;
  readonly neverShown: number;
}

/**
 * The policy's value by self-normalised inverse propensity scoring: see `snips`. Its 95 % interval is that of a ratio over
 * profiles, as in a placement's report: money is as skewed here, and a few weights may be nearly all.
 * @param days younger decisions are not in the log
 */
export function policyEstimate({ decisions, notOffered, neverShown }: PolicyLog, days: number): PolicyEstimate {
  const earning = decisions.filter(({ reward, policy, chosen }) => reward !== 0 && (policy[chosen] ?? 0) > 0).length;
  const counts = { decisions: decisions.length, earning, notOffered, neverShown };
  const refused = (refusal: string, effectiveSampleSize = 0) => {
    return { usdPerDecision: null, refusal, effectiveSampleSize, greatestWeight: null, ...counts };
  };
  if (decisions.length === 0) return refused(reasonOfNone(notOffered, neverShown, days));
  const estimate = snips(decisions, { leastEffectiveSampleSize: leastEffective });
  const { effectiveSampleSize } = estimate;
  if (estimate.refused) {
    const told = `tell as much of this policy as ${Math.floor(effectiveSampleSize)} of its own would`;
    return refused(
      `The ${decisions.length} decisions ${told}; below ${leastEffective} there is no estimate.`,
      effectiveSampleSize,
    );
  }
  const { value, greatestWeight } = estimate;
  const { spread, weight } = weightedSpread(decisions, value);
  const interval = earningsInterval(value, spread, weight);
  if (interval === null) {
    const few = `The ${earning} decisions that earned tell as much of this policy as ${Math.floor(spread.payers)} payers of its own would`;
    return refused(`${few}; below ${leastPayers} there is no estimate.`, effectiveSampleSize);
  }
  const { low, high } = interval;
  return { usdPerDecision: { value, low, high }, refusal: null, effectiveSampleSize, greatestWeight, ...counts };
}

function reasonOfNone(notOffered: number, neverShown: number, days: number): string {
  if (neverShown > 0)
    return `In none of ${neverShown + notOffered} decisions could be shown what this policy would show.`;
  if (notOffered > 0) return `What this policy would show was a candidate of none of ${notOffered} decisions.`;
  const age = `${days} ${days === 1 ? 'day' : 'days'}`;
  return `The model has made no decision in this period that is ${age} old by now; younger ones have had no time to earn.`;
}
