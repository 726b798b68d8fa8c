/** $1 app, $2 store, $3 channel. A row comes back if there was something to remove. */
export const removeCredentials = `
  with removed as (delete from store_credentials where app_id = $1 and store = $2 returning app_id)
  select pg_notify($3, '') from removed`;
