import { DecisionSuperseded, PaywallServed } from '@paywright/contracts';
import { chainsOfDecision } from './chains-of-decisions.sql.ts';
import { comparison, type SelectedComparison } from './target-comparison.sql.ts';

/** The columns of a measure's mean. */
const ratio = (measure: 'shown' | 'drawn'): string => `
    coalesce(${measure}.units, 0)::int as ${measure}_units, coalesce(${measure}.payers, 0)::int as ${measure}_payers,
    round(${measure}.mean, 6)::text as ${measure}_mean,
    ${measure}.squares::float8 as ${measure}_squares, ${measure}.cubes::float8 as ${measure}_cubes`;

/** Whether nothing took the decision's place before its client had it. */
const counts = (decision: 'served' | 'newer'): string => `not exists (
        select from profile_event ended
        where ended.decision_id = ${decision}.decision_id and ended.type = '${DecisionSuperseded.type}'
      )`;

/**
 * A first showing that was reported without a token is the newest decision's for its paywall, of the day before: as the
 * learner has it, and as a purchase without one finds what it came of.
 */
const isNewestBeforeShowing = `
  shown.placement_id = $2 and decided.time <= shown.first_shown_at
  and shown.first_shown_at < decided.time + interval '24 hours'
  and not exists (
    select from profile_event newer
    cross join lateral json_to_record(newer.data::json) as decision ("placementId" text, "paywallId" int)
    where newer.profile_id = decided.profile_id and newer.service = 'selection' and newer.version > decided.version
      and newer.type = '${PaywallServed.type}' and newer.time <= shown.first_shown_at and position($5 in newer.data) > 0
      and decision."placementId" = $2 and decision."paywallId" = decided.paywall_id
      and ${counts('newer')}
  )`;

/** The money of a row of `bought`. Looked for chain by chain: the planner takes all of the ledger for less than it is. */
export const movedOfBought = `(
        select environment, usd, currency from ledger_entry
        where chain_id = bought.chain_id and decision_id = bought.decision_id offset 0
      ) moved`;

/**
 * The decisions of a time at a placement, and the purchases that came of them. $1 app, $2 placement, $3 from, $4 before, $5 the
 * placement as JSON text: the test that is cheap, and leaves few rows to be parsed; $6 the number of the model that the
 * placement had, null for any and none.
 */
export const decidedAndBought = `decided as materialized (
    select served.decision_id, served.profile_id, served.time, served.version, decision.target,
      decision."paywallId" as paywall_id, decision."externalId" as external_id, decision.path -> 0 ->> 'weight' is not null as is_drawn,
      decision."stickyUntil" is not null as is_kept,
      shares."aiWeight" as ai_weight, shares."baselineWeight" as baseline_weight
    from profile_event served
    cross join lateral json_to_record(served.data::json) as decision ("placementId" text, target text, "paywallId" int,
      "externalId" text, path json, "stickyUntil" text, weighing json, "aiPricingModelId" int)
    left join lateral json_to_record(decision.weighing) as shares ("aiWeight" numeric, "baselineWeight" numeric)
      on json_array_length(decision.path) = 1
    where served.app_id = $1 and served.service = 'selection' and served.type = '${PaywallServed.type}'
      and served.time >= $3 and served.time < $4
      and position($5 in served.data) > 0 and decision."placementId" = $2
      and ($6::int is null or decision."aiPricingModelId" = $6)
      and ${counts('served')}
  ), bought as materialized (
    select decided.*, origin.chain_id,
      origin.chain::jsonb ->> 'environment' = 'production'
        and jsonb_path_exists(origin.chain::jsonb, '$.transactions.* ? (@.isFamilyShared == false)') as is_conversion
    from decided
    cross join lateral ${chainsOfDecision('decided.decision_id')} came
    join purchase_chain origin on origin.chain_id = came.chain_id
  )`;

/** Of a row of `decided`: the first showing of its paywall to its profile, as far as it belongs to the decision. */
export const isShownOf = `shown.profile_id = decided.profile_id and shown.paywall_id = decided.paywall_id
        and (shown.decision_id = decided.decision_id or (shown.decision_id is null and ${isNewestBeforeShowing}))`;

/**
 * What the decisions of a time at a placement led to, by target and paywall, and by target alone (paywall_id is null).
 * The parameters are those of `decidedAndBought`.
 *
 * Money is told by two measures: a unique impression (`shown`), and a decision that was drawn (`drawn`): what got
 * Baseline undrawn, and its money, is not in the latter. A unit is a profile within a target (and paywall) and a measure:
 * how much of that it has, and the USD of its purchases. `squares` and `cubes` are the sums of the powers of what a unit
 * earned more than its size times the mean: what the interval of a ratio is made of. All sums are numeric.
 *
 * With the row of AI as a whole comes how it compares with Baseline.
 */
export const selectPlacementReport = `
  with ${decidedAndBought}, unit as (
    select measure, target, paywall_id, profile_id, sum(size) as size, sum(usd) as usd
    from (
      select 'shown' as measure, decided.target, decided.paywall_id, decided.profile_id, 1::numeric as size,
        0::numeric as usd
      from decided join unique_impression shown on ${isShownOf}
      union all
      select 'drawn', target, paywall_id, profile_id, 1, 0 from decided where is_drawn
      union all
      select measure, bought.target, bought.paywall_id, bought.profile_id, 0, moved.usd
      from bought cross join lateral ${movedOfBought}
      cross join unnest(array['shown', 'drawn']) measure
      where moved.environment = 'production' and moved.usd is not null and (measure = 'shown' or bought.is_drawn)
    ) part
    group by grouping sets ((measure, target, paywall_id, profile_id), (measure, target, profile_id))
  ), earned as (
    select measure, target, paywall_id, sum(size) as size, sum(usd) as usd, count(*) as units,
      count(*) filter (where usd <> 0) as payers, sum(usd) / nullif(sum(size), 0) as mean
    from unit group by measure, target, paywall_id
  ), spread as (
    select measure, target, paywall_id, sum(power(surplus, 2)) as squares, sum(power(surplus, 3)) as cubes
    from (
      select measure, unit.target, unit.paywall_id, round(unit.usd - unit.size * earned.mean, 12) as surplus
      from unit join earned using (measure)
      where earned.target = unit.target and earned.paywall_id is not distinct from unit.paywall_id
    ) of_unit
    group by measure, target, paywall_id
  ), told as (
    select earned.*, spread.squares, spread.cubes
    from earned join spread using (measure)
    where spread.target = earned.target and spread.paywall_id is not distinct from earned.paywall_id
  ), requested as (
    select target, paywall_id, count(*) as requests
    from decided group by grouping sets ((target, paywall_id), (target))
  ), called as (
    select distinct on (target, paywall_id) target, paywall_id, external_id
    from decided order by target, paywall_id, time desc
  ), converted as (
    select target, paywall_id, count(*) filter (where is_conversion) as conversions
    from bought group by grouping sets ((target, paywall_id), (target))
  ), unvalued as (
    select bought.target, bought.paywall_id, array_agg(distinct moved.currency order by moved.currency) as currencies
    from bought cross join lateral ${movedOfBought}
    where moved.environment = 'production' and moved.usd is null
    group by grouping sets ((bought.target, bought.paywall_id), (bought.target))
  ), ${comparison}
  select requested.target, requested.paywall_id, called.external_id, requested.requests::int,
    coalesce(shown.size, 0)::int as impressions, coalesce(drawn.size, 0)::int as draws,
    coalesce(converted.conversions, 0)::int as conversions, trim_scale(coalesce(shown.usd, 0))::text as revenue,
    coalesce(to_json(unvalued.currencies), '[]') as unvalued_currencies,
    ${ratio('shown')}, ${ratio('drawn')}, to_json(comparison) as comparison
  from requested
  left join called using (target, paywall_id)
  left join told shown on shown.measure = 'shown'
    and shown.target = requested.target and shown.paywall_id is not distinct from requested.paywall_id
  left join told drawn on drawn.measure = 'drawn'
    and drawn.target = requested.target and drawn.paywall_id is not distinct from requested.paywall_id
  left join converted
    on converted.target = requested.target and converted.paywall_id is not distinct from requested.paywall_id
  left join unvalued
    on unvalued.target = requested.target and unvalued.paywall_id is not distinct from requested.paywall_id
  left join comparison on requested.target = 'ai_model' and requested.paywall_id is null
  order by requested.target, requested.paywall_id nulls first`;

export type SelectedPlacementRow = SelectedRatio<'shown'> &
  SelectedRatio<'drawn'> & {
    target: string;
    paywall_id: number | null;
    external_id: string | null;
    requests: number;
    impressions: number;
    draws: number;
    conversions: number;
    revenue: string;
    unvalued_currencies: string[];
    /** With the row of AI as a whole; null where the two cannot be compared. */
    comparison: SelectedComparison | null;
  };

type SelectedRatio<Measure extends string> = Record<`${Measure}_units` | `${Measure}_payers`, number> &
  Record<`${Measure}_mean`, string | null> &
  Record<`${Measure}_squares` | `${Measure}_cubes`, number | null>;
