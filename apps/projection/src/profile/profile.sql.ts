/** Of the writer's own partition, so nobody else changes them before the transaction ends. */
export const selectProfiles = `
  select profile_id, app_id, version, fields, custom, created_at, updated_at, erased_at, erased_version
  from profile where profile_id = any($1::uuid[])`;

/** Arrays sorted by profile, so that two writers lock in one order. The guard has been checked on reading. */
export const upsertProfiles = `
  insert into profile (profile_id, app_id, version, fields, custom, created_at, updated_at, erased_at, erased_version)
  select profile_id, app_id, version, fields::jsonb, custom::jsonb, created_at, updated_at, erased_at, erased_version
  from unnest(
    $1::uuid[], $2::int[], $3::int[], $4::text[], $5::text[], $6::timestamptz[], $7::timestamptz[], $8::timestamptz[],
    $9::int[])
    as profile (profile_id, app_id, version, fields, custom, created_at, updated_at, erased_at, erased_version)
  on conflict (profile_id) do update
  set version = excluded.version, fields = excluded.fields, custom = excluded.custom, created_at = excluded.created_at,
    updated_at = excluded.updated_at, erased_at = excluded.erased_at, erased_version = excluded.erased_version`;
