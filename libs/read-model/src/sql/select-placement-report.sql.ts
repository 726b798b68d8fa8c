import { chainsOfDecision, soldSomething } from './chains-of-decisions.sql.ts';
import { comparison, repeated, weighedSides, weight, type SelectedComparison } from './target-comparison.sql.ts';

/** The columns of a measure's mean. */
const ratio = (measure: 'shown' | 'drawn'): string => `
    coalesce(${measure}.units, 0)::int as ${measure}_units, coalesce(${measure}.payers, 0)::int as ${measure}_payers,
    round(${measure}.mean, 6)::text as ${measure}_mean,
    ${measure}.squares::float8 as ${measure}_squares, ${measure}.cubes::float8 as ${measure}_cubes`;

/** Whether nothing took the decision's place before its client had it. */
const counts = (decision: 'served' | 'newer'): string => `not exists (
        select from superseded_decision ended
        where ended.profile_id = ${decision}.profile_id and ended.decision_id = ${decision}.decision_id
      )`;

/**
 * A first showing that was reported without a token is the newest decision's for its paywall, of the day before: as the
 * learner has it, and as a purchase without one finds what it came of.
 */
const isNewestBeforeShowing = `
  shown.placement_id = $2 and decided.time <= shown.first_shown_at
  and shown.first_shown_at < decided.time + interval '24 hours'
  and not exists (
    select from decision newer
    where newer.profile_id = decided.profile_id and newer.version > decided.version
      and newer.time <= shown.first_shown_at and newer.placement_id = $2 and newer.paywall_id = decided.paywall_id
      and ${counts('newer')}
  )`;

/** The money of a row of `bought`. Looked for chain by chain: the planner takes all of the ledger for less than it is. */
const movedOfBought = `(
        select environment, usd, currency from ledger_entry
        where chain_id = bought.chain_id and decision_id = bought.decision_id offset 0
      ) moved`;

/**
 * The decisions of a time at a placement, and the purchases that came of them. $1 app, $2 placement, $3 from, $4 before, $5 the
 * number of the model that the placement had, null for any and none.
 *
 * Decisions are many, so each use of `decided` reads them again, which costs less than to keep them; few sold something.
 */
export const decidedAndBought = `decided as not materialized (
    select *, ${weight} as weight
    from decision served
    where app_id = $1 and placement_id = $2 and time >= $3 and time < $4 and ($5::int is null or model = $5)
      and ${counts('served')}
  ), bought as materialized (
    select decided.*, origin.chain_id,
      known.chain ->> 'environment' = 'production'
        and jsonb_path_exists(known.chain, '$.transactions.* ? (@.isFamilyShared == false)') as is_conversion
    from decided
    cross join lateral ${chainsOfDecision('decided.decision_id')} came
    join purchase_chain origin on origin.chain_id = came.chain_id
    cross join lateral (select origin.chain::jsonb as chain offset 0) known
    where ${soldSomething('decided.decision_id')}
  )`;

/** Of a row of `decided`: the first showing of its paywall to its profile, as far as it belongs to the decision. */
const isShownOf = `shown.profile_id = decided.profile_id and shown.paywall_id = decided.paywall_id
        and (shown.decision_id = decided.decision_id or (shown.decision_id is null and ${isNewestBeforeShowing}))`;

/**
 * The rows of `decided` with what came of each: `shown_id` is there where its paywall was first shown by it, `usd` is its own money,
 * `brought_usd` that of its sticky repeats too.
 */
export const told = `sold as materialized (
    select decision_id, sum(usd) as usd from bought cross join lateral ${movedOfBought}
    where moved.environment = 'production' and usd is not null
    group by decision_id
  ), ${repeated}, told as not materialized (
    select decided.*, shown.profile_id as shown_id, sold.usd,
      case when repeated.usd is null then sold.usd else coalesce(sold.usd, 0) + repeated.usd end as brought_usd
    from decided
    left join unique_impression shown on ${isShownOf}
    left join sold on sold.decision_id = decided.decision_id
    left join repeated on repeated.decision_id = decided.decision_id
  )`;

/** Of rows of `told`. Of what has no money nothing is added up: there are many, and a sum takes memory from its first value on. */
export const earnedBy = (measure: 'all' | 'drawn'): string =>
  `sum(usd) filter (where usd is not null${measure === 'drawn' ? ' and is_drawn' : ''})`;

/**
 * What the decisions of a time at a placement led to, by target and paywall, and by target alone (paywall_id is null).
 * The parameters are those of `decidedAndBought`.
 *
 * Money is told by two measures: a unique impression (`shown`), and a decision that was drawn (`drawn`): what got
 * Baseline undrawn, and its money, is not in the latter. A unit is a profile within a target (and paywall): how much of each it
 * has, and the USD of its purchases. `squares` and `cubes` are the sums of the powers of what a unit earned more than its
 * size times the mean: what the interval of a ratio is made of. All sums of money are numeric.
 *
 * Decisions and units are many, and units that never paid are alike but for their sizes: so decisions are read once, units are
 * counted by their figures, and all that is exact is computed of each kind once.
 *
 * With the row of AI as a whole comes how it compares with Baseline.
 */
export const selectPlacementReport = `
  with ${decidedAndBought}, ${told}, unit as materialized (
    select grouping(target) = 1 as is_whole, target, paywall_id, profile_id,
      count(*) as requests, max(time) as last_at, count(shown_id) as impressions, ${earnedBy('all')} as usd,
      count(*) filter (where is_drawn) as draws, ${earnedBy('drawn')} as drawn_usd,
      ${weighedSides}
    from told
    group by grouping sets ((profile_id, target, paywall_id), (profile_id, target), (profile_id))
  ), alike as materialized (
    select target, paywall_id, impressions, usd, draws, drawn_usd, count(*) as units, sum(requests) as requests,
      max(last_at) as last_at
    from unit where not is_whole group by target, paywall_id, impressions, usd, draws, drawn_usd
  ), measured as (
    select measure, target, paywall_id, size, coalesce(measured.usd, 0) as usd, units
    from alike cross join lateral (values ('shown', impressions, usd), ('drawn', draws, drawn_usd)) measured (measure, size, usd)
    where size > 0 or measured.usd is not null
  ), earned as (
    select measure, target, paywall_id, sum(units * size) as size, sum(units * usd) as usd, sum(units) as units,
      sum(units) filter (where usd <> 0) as payers, sum(units * usd) / nullif(sum(units * size), 0) as mean
    from measured group by measure, target, paywall_id
  ), spread as (
    select measure, target, paywall_id, sum(units * power(surplus, 2)) as squares, sum(units * power(surplus, 3)) as cubes
    from (
      select measure, measured.target, measured.paywall_id, measured.units,
        round(measured.usd - measured.size * earned.mean, 12) as surplus
      from measured join earned using (measure)
      where earned.target = measured.target and earned.paywall_id is not distinct from measured.paywall_id
    ) of_units
    group by measure, target, paywall_id
  ), measure as (
    select earned.*, spread.squares, spread.cubes
    from earned join spread using (measure)
    where spread.target = earned.target and spread.paywall_id is not distinct from earned.paywall_id
  ), requested as (
    select target, paywall_id, sum(requests) as requests, max(last_at) as last_at from alike group by target, paywall_id
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
  left join lateral (
    select external_id from decided
    where time = requested.last_at and target = requested.target and paywall_id = requested.paywall_id
    limit 1
  ) called on true
  left join measure shown on shown.measure = 'shown'
    and shown.target = requested.target and shown.paywall_id is not distinct from requested.paywall_id
  left join measure drawn on drawn.measure = 'drawn'
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
