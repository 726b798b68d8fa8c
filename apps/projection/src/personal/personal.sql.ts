/** The newest record wins, in whatever order they come. */
export const upsertPersonal = `
  insert into profile_personal (profile_id, app_id, version, fields, customer_user_id)
  select profile_id, app_id, version, fields::jsonb, customer_user_id
  from unnest($1::uuid[], $2::int[], $3::int[], $4::text[], $5::text[])
    as personal (profile_id, app_id, version, fields, customer_user_id)
  on conflict (profile_id) do update
  set version = excluded.version, fields = excluded.fields, customer_user_id = excluded.customer_user_id
  where profile_personal.version < excluded.version`;

/** $1 profiles. The rows stay, with their versions: so what was known until then does not come back. */
export const emptyPersonal = `
  update profile_personal set fields = '{}', customer_user_id = null where profile_id = any($1::uuid[])`;

/** $1 profiles, $2 the versions that the topic holds as their newest: the rows that are newer. */
export const selectNewerPersonal = `
  select stored.profile_id, stored.app_id, stored.version, stored.fields
  from unnest($1::uuid[], $2::int[]) as told (profile_id, version)
  join profile_personal stored on stored.profile_id = told.profile_id and stored.version > told.version`;
