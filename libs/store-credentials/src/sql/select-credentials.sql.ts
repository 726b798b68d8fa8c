/**
 * $1 the ends of the sealed texts that the reader has opened already: of those the text is not sent again. A text
 * ends with its authentication tag, which is another for each sealing.
 */
export const selectCredentials = `
  select app_id, store, set_at, last_check_at, last_check_ok, last_check_message, right(sealed, 22) as seal,
    case when right(sealed, 22) = any($1::text[]) then null else sealed end as sealed
  from store_credentials`;
