/** $1 app id, $2 token id. */
export const selectPlayToken = `
  select chain_id::text, replaced_by::text from play_token where app_id = $1 and token_id = $2`;

/** $1 app id, $2 token ids, newest first, $3 their chain, $4 what replaced each. A token never changes its chain. */
export const insertPlayTokens = `
  insert into play_token as known (app_id, token_id, chain_id, replaced_by)
  select $1, token_id, $3, replaced_by from unnest($2::uuid[], $4::uuid[]) as t (token_id, replaced_by)
  on conflict (app_id, token_id) do update set replaced_by = coalesce(known.replaced_by, excluded.replaced_by)`;
