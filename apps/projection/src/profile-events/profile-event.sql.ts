/** $1 profiles, $2 service: the version of the last event of each profile that is stored. */
export const selectLastVersions = `
  select stream.profile_id::text as profile_id, last.version
  from unnest($1::uuid[]) as stream (profile_id)
  cross join lateral (
    select version from profile_event
    where profile_event.profile_id = stream.profile_id and service = $2
    order by version desc limit 1
  ) last`;

/** $1 profiles and $2 versions, one of each a place; $3 service: the events that are stored there. */
export const selectEventsAt = `
  select profile_id::text as stream, version as "streamVersion", id::text as id
  from unnest($1::uuid[], $2::int[]) as place (profile_id, version)
  join profile_event using (profile_id, version)
  where service = $3`;

/**
 * $1 service, then an array each. In the given order: rows of one batch lie together. Arrays in the select list are read row by
 * row; behind `from` each is copied whole before the first row is made of it, which takes a twelfth of the insert.
 */
export const insertProfileEvents = `
  insert into profile_event (service, profile_id, id, decision_id, time, version, app_id, type, data)
  select $1, unnest($2::uuid[]), unnest($3::uuid[]), unnest($4::uuid[]), unnest($5::timestamptz[]), unnest($6::int[]),
    unnest($7::int[]), unnest($8::text[]), unnest($9::text[])`;
