/** An array each. In the given order, and in the select list, as events of profiles are. */
export const insertPurchaseEvents = `
  insert into purchase_event (chain_id, id, time, version, app_id, type, data)
  select unnest($1::uuid[]), unnest($2::uuid[]), unnest($3::timestamptz[]), unnest($4::int[]), unnest($5::int[]),
    unnest($6::text[]), unnest($7::text[])`;

/** $1 profiles, $2 chains, $3 the event that took it away or null. The latest claim decides, and a batch holds it last. */
export const upsertOwners = `
  insert into purchase_owner (profile_id, chain_id, lost_version)
  select * from unnest($1::uuid[], $2::uuid[], $3::int[])
  on conflict (profile_id, chain_id) do update set lost_version = excluded.lost_version`;

/** $1 profiles, $2 chains, a pair each: what an erased profile owned is found by it no more. */
export const deleteOwners = `
  delete from purchase_owner using unnest($1::uuid[], $2::uuid[]) as released (profile_id, chain_id)
  where purchase_owner.profile_id = released.profile_id and purchase_owner.chain_id = released.chain_id`;

/** $1 profiles, $2 chains, $3 versions. */
export const insertReports = `
  insert into purchase_report (profile_id, chain_id, version) select * from unnest($1::uuid[], $2::uuid[], $3::int[])`;

/** $1 chains and $2 versions, one of each a place: the events that are stored there. */
export const selectEventsAt = `
  select chain_id::text as stream, version as "streamVersion", id::text as id
  from unnest($1::uuid[], $2::int[]) as place (chain_id, version)
  join purchase_event using (chain_id, version)`;
