import { chainsOfDecision } from './chains-of-decisions.sql.ts';
import { stickyRepeats } from './sticky-repeats.sql.ts';

/**
 * AI against Baseline, of the rows of `decided` that tell the weights of both: one row where both were drawn.
 *
 * Shares change, and so do times: over all draws of a period, a target that was drawn more often in good times looks better.
 * So each draw weighs as much as the chance of the other one in it (overlap weights: Li, Morgan, Zaslavsky, Balancing
 * covariates via propensity score weighting, Journal of the American Statistical Association 113, 2018): at any time both
 * sides then weigh alike, draws in which only one could come weigh nothing, and no weight is large. While shares stay, they
 * cancel out. A side that comes once in 10^12 draws counts as one that cannot: its chance may be less than a double can be.
 *
 * A draw has the money of its sticky repeats, which drew nothing. `payers` is Kish's effective number: (Σw)²/Σw² over
 * profiles, of the weights of draws that earned. `squares` and `cubes` are of what a profile earned on either side beyond
 * its weight times the side's mean, over the side's weight, AI's minus Baseline's: of the difference, linearised.
 */
export const comparison = `weighed as materialized (
    select decision_id, profile_id, is_kept, target,
      case target when 'ai_model' then baseline_weight else ai_weight end / (ai_weight + baseline_weight) as weight
    from decided where least(ai_weight, baseline_weight) > 1e-12 * greatest(ai_weight, baseline_weight)
  ), answered as (
    select decision_id, decision_id as answer_id from weighed
    union all
    select weighed.decision_id, repeat.decision_id
    from weighed join ${stickyRepeats} repeat on repeat.first_id = weighed.decision_id
    where is_kept
  ), brought as (
    select answered.decision_id, sum(moved.usd) as usd
    from answered
    cross join lateral ${chainsOfDecision('answered.answer_id')} origin
    join ledger_entry moved on moved.chain_id = origin.chain_id and moved.decision_id = answered.answer_id
    where moved.environment = 'production' and moved.usd is not null
    group by answered.decision_id
  ), of_profile as (
    select target, profile_id, count(*) as draws, sum(weight) as weight, sum(weight * usd) as usd,
      sum(weight) filter (where usd <> 0) as earning
    from weighed left join brought using (decision_id)
    group by target, profile_id
  ), side as (
    select target, sum(draws)::int as draws, sum(weight) as weight, coalesce(sum(usd), 0) / sum(weight) as mean,
      coalesce(power(sum(earning), 2) / sum(power(earning, 2)), 0)::float8 as payers
    from of_profile group by target
  ), surplus as (
    select sum(
      case target when 'ai_model' then 1 else -1 end
        * ((coalesce(of_profile.usd, 0) - of_profile.weight * side.mean) / side.weight)::float8
    ) as usd
    from of_profile join side using (target) group by profile_id
  ), comparison as (
    select ai.draws as ai_draws, ai.payers as ai_payers, round(ai.mean, 6)::text as ai_mean,
      baseline.draws as baseline_draws, baseline.payers as baseline_payers, round(baseline.mean, 6)::text as baseline_mean,
      round(ai.mean - baseline.mean, 6)::text as difference,
      (select count(*)::int from surplus) as units, (select sum(usd * usd) from surplus) as squares,
      (select sum(usd * usd * usd) from surplus) as cubes
    from side ai join side baseline on ai.target = 'ai_model' and baseline.target = 'baseline'
  )`;

export type SelectedComparison = Record<`${'ai' | 'baseline'}_${'draws' | 'payers'}`, number> &
  Record<'ai_mean' | 'baseline_mean' | 'difference', string> &
  Record<'units' | 'squares' | 'cubes', number>;
