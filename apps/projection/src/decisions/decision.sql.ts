/** An array each. The second of a decision that comes twice is dropped. */
export const insertDecisions = `
  insert into decision (profile_id, decision_id, sticky_to, time, ai_weight, baseline_weight, version, app_id, model,
    paywall_id, is_drawn, is_kept, placement_id, target, external_id)
  select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[], $5::float8[], $6::float8[], $7::int[],
    $8::int[], $9::int[], $10::int[], $11::bool[], $12::bool[], $13::text[], $14::text[], $15::text[])
  on conflict do nothing`;

/** $1 profiles, $2 decisions. */
export const insertSupersededDecisions = `
  insert into superseded_decision (profile_id, decision_id)
  select * from unnest($1::uuid[], $2::uuid[])
  on conflict do nothing`;
