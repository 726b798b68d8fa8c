import { chainsOfDecision, soldSomething } from './chains-of-decisions.sql.ts';

/**
 * What a draw weighs where AI and Baseline are compared; null where it tells of neither. Of a row of `decision`.
 *
 * Shares change, and so do times: over all draws of a period, a target that was drawn more often in good times looks better.
 * So each draw weighs as much as the chance of the other one in it (overlap weights: Li, Morgan, Zaslavsky, Balancing
 * covariates via propensity score weighting, Journal of the American Statistical Association 113, 2018): at any time both
 * sides then weigh alike, draws in which only one could come weigh nothing, and no weight is large. While shares stay, they
 * cancel out. A side that comes once in 10^12 draws counts as one that cannot: its chance may be less than a double can be.
 */
export const weight = `case when least(ai_weight, baseline_weight) > 1e-12 * greatest(ai_weight, baseline_weight)
        then 1 / (1 + case target when 'ai_model' then ai_weight / baseline_weight else baseline_weight / ai_weight end)
      end`;

/**
 * What sticky repeats sold, by the decision that they repeat: they drew nothing, and their money is that of the draw. A repeat is
 * at the placement of what it repeats, and comes after it, but for clocks that differ. The parameters are those of
 * `decidedAndBought`.
 */
export const repeated = `repeated as materialized (
    select repeat.sticky_to as decision_id, sum(moved.usd) as usd
    from decision repeat
    cross join lateral ${chainsOfDecision('repeat.decision_id')} origin
    join ledger_entry moved on moved.chain_id = origin.chain_id and moved.decision_id = repeat.decision_id
    where repeat.app_id = $1 and repeat.placement_id = $2 and repeat.time >= $3::timestamptz - interval '1 hour'
      and repeat.sticky_to is not null and ${soldSomething('repeat.decision_id')}
      and moved.environment = 'production' and moved.usd is not null
    group by repeat.sticky_to
  )`;

const sides = { ai: 'ai_model', baseline: 'baseline' } as const;
export type Side = keyof typeof sides;
/** The columns of AI, and the same of Baseline. */
export const ofSides = (columns: (side: Side) => string, separator = ', ') =>
  [columns('ai'), columns('baseline')].join(separator);

/** Of a unit: how many draws of each side weigh, what they weigh and brought, and what those weigh that brought anything. */
export const weighedSides = ofSides((side) => {
  const isOne = `weight is not null and target = '${sides[side]}'`;
  return `count(*) filter (where ${isOne}) as ${side}_draws, sum(weight) filter (where ${isOne}) as ${side}_weight,
      sum(weight::numeric * brought_usd) filter (where ${isOne} and brought_usd is not null) as ${side}_usd,
      sum(weight) filter (where ${isOne} and brought_usd <> 0) as ${side}_earning`;
});

/**
 * AI against Baseline, of the rows of `unit` that are of a profile as a whole: one row where both were drawn. `payers` is
 * Kish's effective number: (Σw)²/Σw² over profiles, of the weights of draws that earned. `squares` and `cubes` are of what
 * a profile earned on either side beyond its weight times the side's mean, over the side's weight, AI's minus Baseline's:
 * of the difference, linearised. Money is numeric, weights are doubles.
 */
export const comparison = `side as materialized (
    select ${ofSides(
      (side) => `sum(${side}_draws)::int as ${side}_draws, sum(${side}_weight) as ${side}_weight,
      coalesce(sum(${side}_usd), 0) / sum(${side}_weight)::numeric as ${side}_mean,
      coalesce(power(sum(${side}_earning), 2) / sum(power(${side}_earning, 2)), 0) as ${side}_payers`,
    )}
    from unit where is_whole
  ), surplus as (
    select ${ofSides(
      (side) => `coalesce(
        (coalesce(unit.${side}_usd, 0)::float8 - unit.${side}_weight * side.${side}_mean::float8) / side.${side}_weight, 0)`,
      ' - ',
    )} as usd
    from unit cross join side where is_whole and unit.ai_draws + unit.baseline_draws > 0
  ), comparison as (
    select ${ofSides((side) => `${side}_draws, ${side}_payers, round(${side}_mean, 6)::text as ${side}_mean`)},
      round(ai_mean - baseline_mean, 6)::text as difference, of_profiles.*
    from side cross join (
      select count(*)::int as units, sum(usd * usd) as squares, sum(usd * usd * usd) as cubes from surplus
    ) of_profiles
    where ai_draws > 0 and baseline_draws > 0
  )`;

export type SelectedComparison = Record<`${Side}_${'draws' | 'payers'}`, number> &
  Record<`${Side}_mean` | 'difference', string> &
  Record<'units' | 'squares' | 'cubes', number>;
