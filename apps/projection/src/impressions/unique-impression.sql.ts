/** An array each. The impression service has told which ones are the first: a second row for one is a defect. */
export const insertUniqueImpressions = `
  insert into unique_impression (profile_id, paywall_id, app_id, placement_id, decision_id, first_shown_at)
  select * from unnest($1::uuid[], $2::int[], $3::int[], $4::text[], $5::uuid[], $6::timestamptz[])`;
