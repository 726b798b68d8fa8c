import { decidedAndBought, isShownOf, movedOfBought } from './select-placement-report.sql.ts';

/**
 * What the decisions of each day, of UTC, led to until now, by target; the parameters are those of `decidedAndBought`. A day
 * without a decision has no row. What a draw led to is told apart, since requests that were not drawn are not random.
 */
export const selectPlacementDays = `
  with ${decidedAndBought}, counted as (
    select time, target, 1 as requests, is_drawn::int as draws, 0 as impressions, 0 as conversions, 0 as draw_conversions,
      0::numeric as revenue, 0::numeric as draw_revenue
    from decided
    union all
    select decided.time, target, 0, 0, 1, 0, 0, 0, 0 from decided join unique_impression shown on ${isShownOf}
    union all
    select time, target, 0, 0, 0, 1, is_drawn::int, 0, 0 from bought where is_conversion
    union all
    select bought.time, target, 0, 0, 0, 0, 0, moved.usd, case when is_drawn then moved.usd else 0 end
    from bought cross join lateral ${movedOfBought}
    where moved.environment = 'production' and moved.usd is not null
  )
  select to_char(time at time zone 'UTC', 'YYYY-MM-DD') as day, target, sum(requests)::int as requests,
    sum(draws)::int as draws, sum(impressions)::int as impressions, sum(conversions)::int as conversions,
    sum(draw_conversions)::int as draw_conversions, trim_scale(sum(revenue))::text as revenue,
    trim_scale(sum(draw_revenue))::text as draw_revenue
  from counted group by day, target order by day, target`;

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
}
