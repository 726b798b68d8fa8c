import { DecisionSuperseded, PaywallServed } from '@paywright/contracts';

/**
 * What the decisions of a time at a placement led to, by target and paywall, and by target alone (paywall_id is null).
 * $1 app, $2 placement, $3 from, $4 before, $5 the placement as JSON text: the test that is cheap, and leaves few rows
 * to be parsed.
 *
 * A unit is a profile within a target (and paywall): its unique impressions and the USD of its purchases. `squares` and
 * `cubes` are the sums of the powers of what a unit earned more than its impressions times the mean: what the interval
 * of a ratio is made of. All sums are numeric.
 */
export const selectPlacementReport = `
  with decided as materialized (
    select served.decision_id, served.profile_id, decision.target, decision."paywallId" as paywall_id,
      decision."externalId" as external_id
    from profile_event served
    cross join lateral json_to_record(served.data::json)
      as decision ("placementId" text, target text, "paywallId" int, "externalId" text)
    where served.app_id = $1 and served.service = 'selection' and served.type = '${PaywallServed.type}'
      and served.time >= $3 and served.time < $4
      and position($5 in served.data) > 0 and decision."placementId" = $2
      and not exists (
        select from profile_event ended
        where ended.decision_id = served.decision_id and ended.type = '${DecisionSuperseded.type}'
      )
  ), bought as materialized (
    select decided.*, origin.chain_id,
      origin.chain::jsonb ->> 'environment' = 'production'
        and jsonb_path_exists(origin.chain::jsonb, '$.transactions.* ? (@.isFamilyShared == false)') as is_conversion
    from decided join purchase_chain origin on origin.decision_id = decided.decision_id
  ), unit as (
    select target, paywall_id, profile_id, sum(impressions) as impressions, sum(usd) as usd
    from (
      select decided.target, decided.paywall_id, decided.profile_id, 1::numeric as impressions, 0::numeric as usd
      from decided join unique_impression shown
        on shown.profile_id = decided.profile_id and shown.paywall_id = decided.paywall_id
          and shown.decision_id = decided.decision_id
      union all
      select bought.target, bought.paywall_id, bought.profile_id, 0, moved.usd
      from bought join ledger_entry moved on moved.chain_id = bought.chain_id
      where moved.environment = 'production' and moved.usd is not null
    ) part
    group by grouping sets ((target, paywall_id, profile_id), (target, profile_id))
  ), earned as (
    select target, paywall_id, sum(impressions) as impressions, sum(usd) as usd, count(*) as units,
      count(*) filter (where usd <> 0) as payers, sum(usd) / nullif(sum(impressions), 0) as mean
    from unit group by target, paywall_id
  ), spread as (
    select target, paywall_id, sum(power(surplus, 2)) as squares, sum(power(surplus, 3)) as cubes
    from (
      select unit.target, unit.paywall_id, round(unit.usd - unit.impressions * earned.mean, 12) as surplus
      from unit join earned
        on earned.target = unit.target and earned.paywall_id is not distinct from unit.paywall_id
    ) of_unit
    group by target, paywall_id
  ), requested as (
    select target, paywall_id, max(external_id) as external_id, count(*) as requests
    from decided group by grouping sets ((target, paywall_id), (target))
  ), converted as (
    select target, paywall_id, count(*) filter (where is_conversion) as conversions
    from bought group by grouping sets ((target, paywall_id), (target))
  )
  select requested.target, requested.paywall_id,
    case when requested.paywall_id is not null then requested.external_id end as external_id,
    requested.requests::int, coalesce(earned.impressions, 0)::int as impressions,
    coalesce(converted.conversions, 0)::int as conversions, trim_scale(coalesce(earned.usd, 0))::text as revenue,
    coalesce(earned.units, 0)::int as units, coalesce(earned.payers, 0)::int as payers,
    round(earned.mean, 6)::text as mean, spread.squares::float8 as squares, spread.cubes::float8 as cubes
  from requested
  left join earned
    on earned.target = requested.target and earned.paywall_id is not distinct from requested.paywall_id
  left join spread
    on spread.target = requested.target and spread.paywall_id is not distinct from requested.paywall_id
  left join converted
    on converted.target = requested.target and converted.paywall_id is not distinct from requested.paywall_id
  order by requested.target, requested.paywall_id nulls first`;

export interface SelectedPlacementRow {
  target: string;
  paywall_id: number | null;
  external_id: string | null;
  requests: number;
  impressions: number;
  conversions: number;
  revenue: string;
  units: number;
  payers: number;
  mean: string | null;
  squares: number | null;
  cubes: number | null;
}
