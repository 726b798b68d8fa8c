/** $1 app, $2 store, $3 the seal of what was checked, $4 time, $5 ok, $6 message, $7 channel. */
export const recordCheck = `
  with recorded as (
    update store_credentials set last_check_at = $4, last_check_ok = $5, last_check_message = $6
    where app_id = $1 and store = $2 and right(sealed, 22) = $3
    returning app_id
  )
  select pg_notify($7, '') from recorded`;
