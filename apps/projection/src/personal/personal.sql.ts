/** The newest record wins, in whatever order they come. */
export const upsertPersonal = `
  insert into profile_personal (profile_id, app_id, version, fields, customer_user_id)
  select profile_id, app_id, version, fields::jsonb, customer_user_id
  from unnest($1::uuid[], $2::int[], $3::int[], $4::text[], $5::text[])
    as personal (profile_id, app_id, version, fields, customer_user_id)
  on conflict (profile_id) do update
  set version = excluded.version, fields = excluded.fields, customer_user_id = excluded.customer_user_id
  where profile_personal.version < excluded.version`;

export const deletePersonal = `delete from profile_personal where profile_id = any($1::uuid[])`;
