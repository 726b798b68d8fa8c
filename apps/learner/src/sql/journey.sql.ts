/**
 * Makes everybody else wait who joins something of these profiles, until the transaction ends; in one order, so that
 * nobody waits for one who waits for him. $1 profiles.
 */
export const lockProfiles = `
  select pg_advisory_xact_lock(key)
  from (select distinct hashtextextended(id, 0) as key from unnest($1::text[]) as profile (id) order by key) as locks`;

/** $1 profiles. */
export const selectJourneys = `select profile_id as id, state from journey where profile_id = any($1::uuid[])`;

/** $1 profiles, $2 states, $3 when they are due, $4 until when they are kept. */
export const upsertJourneys = `
  insert into journey (profile_id, state, due_at, kept_until)
  select * from unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::timestamptz[])
  on conflict (profile_id) do update
  set state = excluded.state, due_at = excluded.due_at, kept_until = excluded.kept_until`;

/** Profiles for which something has waited long enough. $1 by when, $2 how many. */
export const selectDue = `select profile_id as id from journey where due_at <= $1 order by due_at limit $2`;

/** $1 now, $2 how many at most. What waits is due before it is forgotten. */
export const deleteForgotten = `
  delete from journey where profile_id in (
    select profile_id from journey
    where kept_until < $1 and due_at is null order by kept_until limit $2
    for update skip locked)`;
