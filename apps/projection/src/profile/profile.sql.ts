/** Of the writer's own partition, so nobody else changes them before the transaction ends. */
export const selectProfiles = `
  select profile_id, app_id, version, fields, custom, created_at, updated_at from profile where profile_id = any($1::uuid[])`;

/** Arrays sorted by profile, so that two writers lock in one order. The guard has been checked on reading. */
export const upsertProfiles = `
  insert into profile (profile_id, app_id, version, fields, custom, created_at, updated_at)
  select profile_id, app_id, version, fields::jsonb, custom::jsonb, created_at, updated_at
  from unnest($1::uuid[], $2::int[], $3::int[], $4::text[], $5::text[], $6::timestamptz[], $7::timestamptz[])
    as profile (profile_id, app_id, version, fields, custom, created_at, updated_at)
  on conflict (profile_id) do update
  set version = excluded.version, fields = excluded.fields, custom = excluded.custom, updated_at = excluded.updated_at`;
