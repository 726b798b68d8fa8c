/** $1 app ids, $2 event ids, $3 when (ms). All write in one order, or two instances wait for each other. */
export const insertHeardEvents = `
  insert into heard_event (app_id, event_id, heard_at)
  select app_id, event_id, to_timestamp($3::float8 / 1000) from unnest($1::int[], $2::text[]) as t (app_id, event_id)
  order by app_id, event_id
  on conflict do nothing`;

/** $1 app id, $2 event ids. */
export const selectHeardEvents = `select event_id from heard_event where app_id = $1 and event_id = any($2::text[])`;

/** $1 until when (ms), $2 how many at most. Around rows that another instance is about to delete. */
export const deleteHeardEvents = `
  delete from heard_event where (app_id, event_id) in (
    select app_id, event_id from heard_event
    where heard_at < to_timestamp($1::float8 / 1000) order by heard_at limit $2
    for update skip locked)`;
