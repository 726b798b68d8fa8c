/** $1 app id, $2 which history. */
export const selectReadTo = `
  select extract(epoch from read_to) * 1000 as read_to from store_history where app_id = $1 and store = $2`;

/** $1 app id, $2 which history, $3 read to (ms). Never goes back. */
export const upsertReadTo = `
  insert into store_history as known (app_id, store, read_to) values ($1, $2, to_timestamp($3::float8 / 1000))
  on conflict (app_id, store) do update set read_to = greatest(known.read_to, excluded.read_to)`;
