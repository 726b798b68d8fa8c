import {
  ModelFrozen,
  ModelGuardReleased,
  ModelGuardTripped,
  ModelShareLimited,
  ModelUnfrozen,
} from '@paywright/contracts';
import { chainsOfDecision } from './chains-of-decisions.sql.ts';
import { stickyRepeats } from './sticky-repeats.sql.ts';

const typesOf = (events: readonly { readonly type: string }[]) => events.map(({ type }) => `'${type}'`).join(', ');
const changes = [ModelFrozen, ModelUnfrozen, ModelGuardTripped, ModelGuardReleased, ModelShareLimited];

/**
 * $1 the model's stream, $2 app, $3 limit: what was done to the model, newest first; of what was before these the last that a person
 * said of its share, and whether it is frozen, which hold until somebody says otherwise.
 */
export const selectModelChanges = `
  with change as materialized (
    select version, time, type, data from profile_event
    where profile_id = $1 and app_id = $2 and service = 'selection' and type in (${typesOf(changes)})
  ), newest as materialized (
    select version from change order by version desc limit $3
  )
  select time, type, data from change
  where version in (
    select version from newest
    union all
    select max(version) from change
    where version < (select min(version) from newest) and type in (${typesOf([ModelShareLimited, ModelFrozen, ModelUnfrozen])})
    group by type = '${ModelShareLimited.type}'
  )
  order by version desc`;

/** $1 the model's stream: its last version. */
export const selectModelVersion = `
  select version from profile_event where profile_id = $1 and service = 'selection' order by version desc limit 1`;

/** $1 app, $2 model. In the schema of the learner. */
export const selectModelReport = `
  select sha256, learned_until, report from selection_learning.model_report where app_id = $1 and model = $2`;

/**
 * Where a model served: the placements that had it in some catalog, and those whose traffic led on, maybe to one of these; with
 * its number, by which a decision's row names it. $1 app, $2 model.
 */
export const selectPlacementsOfModel = `
  select distinct placement ->> 'id' as placement_id, (ids -> 'models' ->> $2)::int as number
  from catalog_revision
  cross join lateral (
    select array_agg(model ->> 'id') as models from jsonb_array_elements(document -> 'models') as each (model)
    where model ->> 'id' = $2 or model -> 'traffic' @> '[{"target": "placement"}]'
  ) telling
  cross join lateral jsonb_array_elements(document -> 'placements') as each (placement)
  where app_id = $1 and ids -> 'models' ? $2 and placement ->> 'model' = any (telling.models)`;

/**
 * Decisions that tell of a model, newest first. They are read placement by placement, by its index: what is served at others
 * costs nothing, and no JSON is read but that of draws that led on, of which their rows say no model.
 * $1 app, $2 placements, $3 the model's number, $4 the model as the JSON of a decision names it, $5 from, $6 before, $7 limit.
 */
export const selectNewestDecisions = `
  select newest.profile_id, newest.version
  from unnest($2::text[]) as served (placement_id)
  cross join lateral (
    select profile_id, version, time from decision
    where app_id = $1 and placement_id = served.placement_id and time >= $5 and time < $6 and (
      (model = $3 and ai_weight is not null) or (target = 'placement' and is_drawn and exists (
        select from profile_event event
        where event.profile_id = decision.profile_id and service = 'selection' and event.version = decision.version
          and position($4 in data) > 0
        offset 0
      ))
    )
    order by time desc
    limit $7
  ) newest
  order by newest.time desc
  limit $7`;

/**
 * Those of them that can be weighed, newest first, each with what it earned within its first days: what its sticky repeats
 * sold came of its draw. Each is looked up by its key, and so is what ended it: the limit of one, and the offset of
 * none, keep a plan from reading all events instead.
 * $1 model, $2 profiles, $3 versions in their streams, $4 days, $5 whether contexts are wanted.
 */
export const selectWeighedDecisions = `
  with weighed as materialized (
    select served.decision_id, served.profile_id, served.time, decision.paywall, decision.path,
      decision."stickyUntil" is not null as is_kept, decision.weighing::text as weighing, case when $5 then decision.context::text end as context
    from unnest($2::uuid[], $3::int[]) as newest (profile_id, version)
    cross join lateral (
      select decision_id, profile_id, time, data from profile_event
      where profile_id = newest.profile_id and service = 'selection' and version = newest.version
      limit 1
    ) served
    cross join lateral json_to_record(served.data::json)
      as decision (paywall text, path json, weighing json, context json, "stickyUntil" text)
    where decision.weighing ->> 'model' = $1
      and not exists (
        select from superseded_decision ended
        where ended.profile_id = served.profile_id and ended.decision_id = served.decision_id
        offset 0
      )
  ), answered as (
    select decision_id, time, decision_id as answer_id from weighed
    union all
    select weighed.decision_id, weighed.time, repeat.decision_id
    from weighed join ${stickyRepeats} repeat on repeat.first_id = weighed.decision_id
    where is_kept
  ), earned as (
    select answered.decision_id, sum(moved.usd) as usd
    from answered
    cross join lateral ${chainsOfDecision('answered.answer_id')} origin
    join ledger_entry moved on moved.chain_id = origin.chain_id and moved.decision_id = answered.answer_id
    where moved.environment = 'production' and moved.time < answered.time + $4 * interval '24 hours'
    group by answered.decision_id
  )
  select weighed.profile_id, weighed.time, weighed.paywall, weighed.path -> -1 ->> 'placementId' as placement_id,
    weighed.weighing, weighed.context, coalesce(earned.usd, 0)::text as usd
  from weighed left join earned using (decision_id)
  order by weighed.time desc, weighed.decision_id`;
