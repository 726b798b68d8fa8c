/** An array each. The second of a decision that comes twice is dropped. */
export const insertDecisions = `
  insert into decision (profile_id, decision_id, sticky_to, time, ai_weight, baseline_weight, version, app_id, model,
    paywall_id, is_drawn, is_kept, placement_id, target, external_id)
  select unnest($1::uuid[]), unnest($2::uuid[]), unnest($3::uuid[]), unnest($4::timestamptz[]), unnest($5::float8[]),
    unnest($6::float8[]), unnest($7::int[]), unnest($8::int[]), unnest($9::int[]), unnest($10::int[]), unnest($11::bool[]),
    unnest($12::bool[]), unnest($13::text[]), unnest($14::text[]), unnest($15::text[])
  on conflict do nothing`;

/** $1 profiles, $2 decisions. */
export const insertSupersededDecisions = `
  insert into superseded_decision (profile_id, decision_id)
  select * from unnest($1::uuid[], $2::uuid[])
  on conflict do nothing`;
