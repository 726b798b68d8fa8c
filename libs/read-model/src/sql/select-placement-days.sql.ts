import { decidedAndBought, earnedBy, told } from './select-placement-report.sql.ts';
import { ofSides, weighedSides, type SelectedComparison, type Side } from './target-comparison.sql.ts';

/** What of a profile the spread of the difference is made of. */
export const variables = ['ai_usd', 'ai_weight', 'baseline_usd', 'baseline_weight'] as const;
type Variable = (typeof variables)[number];

/** Products of two and of three of the variables, in any order, each once. */
export const moments: readonly (readonly Variable[])[] = variables.flatMap((first, place) =>
  variables
    .slice(place)
    .flatMap((second, next) => [
      [first, second],
      ...variables.slice(place + next).map((third) => [first, second, third]),
    ]),
);
export const momentOf = (factors: readonly Variable[]): string =>
  `moment_${factors.map((factor) => variables.indexOf(factor)).join('')}`;

/** By how much a product grew, of a row of `profile_day`. */
const growth = (factors: readonly string[]): string =>
  `${factors.map((factor) => `${factor}_so_far`).join(' * ')} - ${factors.map((factor) => `${factor}_before`).join(' * ')}`;

const columnsOf = <Each>(all: readonly Each[], column: (each: Each) => string): string =>
  all.map(column).join(',\n      ');
const ofProfile = [...variables, ...(['ai_earning', 'baseline_earning'] as const)];

/**
 * What the decisions of each day, of UTC, led to until now, by target; the parameters are those of `decidedAndBought`. A day
 * without a decision has no row. What a draw led to is told apart, since requests that were not drawn are not random.
 *
 * `running` is how AI compared with Baseline over all decisions until the end of the day, on the rows of days with a draw that
 * weighs; null on others. A spread is a sum of powers over profiles, whose means move day by day: so it is told as the
 * sums of products that it is made of, each of which grows by what those profiles add that drew on a day.
 */
export const selectPlacementDays = `
  with ${decidedAndBought}, ${told}, grouped as materialized (
    select grouping(target) = 1 as is_of_profile, profile_id, (time at time zone 'UTC')::date as day, target,
      count(*) as requests, count(*) filter (where is_drawn) as draws, count(shown_id) as impressions,
      ${earnedBy('all')} as revenue, ${earnedBy('drawn')} as draw_revenue,
      ${weighedSides}
    from told group by grouping sets ((profile_id, day), (day, target))
  ), converted as (
    select (time at time zone 'UTC')::date as day, target, count(*) filter (where is_conversion) as conversions,
      count(*) filter (where is_conversion and is_drawn) as draw_conversions
    from bought group by day, target
  ), profile_so_far as (
    select profile_id, day, ${ofSides((side) => `${side}_draws, ${side}_weight, ${side}_usd`)},
      ${columnsOf(ofProfile, (one) => `coalesce(sum(${one}::float8) over so_far, 0) as ${one}_so_far`)}
    from grouped where is_of_profile and ai_draws + baseline_draws > 0
    window so_far as (partition by profile_id order by day)
  ), profile_day as (
    select *, row_number() over day_before = 1 as is_first,
      ${columnsOf(ofProfile, (one) => `lag(${one}_so_far, 1, 0::float8) over day_before as ${one}_before`)}
    from profile_so_far window day_before as (partition by profile_id order by day)
  ), added as (
    select day, count(*) filter (where is_first) as units,
      ${ofSides(
        (side) => `sum(${side}_draws) as ${side}_draws, sum(${side}_weight) as ${side}_weight,
      sum(${side}_usd) as ${side}_usd, sum(${side}_earning_so_far - ${side}_earning_before) as ${side}_earning,
      sum(${growth([`${side}_earning`, `${side}_earning`])}) as ${side}_squared_earning`,
      )},
      ${columnsOf(moments, (factors) => `sum(${growth(factors)}) as ${momentOf(factors)}`)}
    from profile_day group by day
  ), stood as (
    select day, (sum(units) over until)::int as units,
      ${ofSides(
        (
          side,
        ) => `(sum(${side}_draws) over until)::int as ${side}_draws, sum(${side}_weight) over until as ${side}_weight,
      coalesce(sum(${side}_usd) over until, 0) / (sum(${side}_weight) over until)::numeric as ${side}_mean,
      coalesce(power(sum(${side}_earning) over until, 2) / nullif(sum(${side}_squared_earning) over until, 0), 0) as ${side}_payers`,
      )},
      ${columnsOf(moments, (factors) => `sum(${momentOf(factors)}) over until as ${momentOf(factors)}`)}
    from added window until as (order by day)
  ), running as (
    select day, units, ${ofSides(
      (side) => `${side}_draws, ${side}_weight, ${side}_payers, round(${side}_mean, 6)::text as ${side}_mean,
      ${side}_mean::float8 as ${side}_mean_number`,
    )},
      round(ai_mean - baseline_mean, 6)::text as difference, ${columnsOf(moments, momentOf)}
    from stood where ai_draws > 0 and baseline_draws > 0
  )
  select grouped.day::text as day, grouped.target, requests::int, draws::int, impressions::int,
    coalesce(conversions, 0)::int as conversions, coalesce(draw_conversions, 0)::int as draw_conversions,
    trim_scale(coalesce(revenue, 0))::text as revenue, trim_scale(coalesce(draw_revenue, 0))::text as draw_revenue,
    to_json(running) as running
  from grouped
  left join converted on converted.day = grouped.day and converted.target = grouped.target
  left join running on running.day = grouped.day
  where not is_of_profile
  order by grouped.day, grouped.target`;

export interface SelectedPlacementDay {
  day: string;
  target: string;
  requests: number;
  draws: number;
  impressions: number;
  conversions: number;
  draw_conversions: number;
  revenue: string;
  draw_revenue: string;
  running: SelectedRunning | null;
}

/** Of all decisions until the end of a day. Beside these it has the sums of products, by `momentOf`. */
export type SelectedRunning = Omit<SelectedComparison, 'squares' | 'cubes'> &
  Record<`${Side}_${'weight' | 'mean_number'}`, number> &
  Record<string, number | string>;
