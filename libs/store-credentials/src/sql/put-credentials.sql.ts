/** $1 app, $2 store, $3 sealed, $4 time, $5 channel. No store has said anything of new credentials. */
export const putCredentials = `
  with written as (
    insert into store_credentials (app_id, store, sealed, set_at) values ($1, $2, $3, $4)
    on conflict (app_id, store) do update
    set sealed = excluded.sealed, set_at = excluded.set_at,
      last_check_at = null, last_check_ok = null, last_check_message = null
  )
  select pg_notify($5, '')`;
