/** $1 app ids, $2 token ids. @returns in that order; null where a token is unknown */
export const selectPlayTokens = `
  select chain_id::text, replaced_by::text
  from unnest($1::int[], $2::uuid[]) with ordinality as wanted (app_id, token_id, place)
  left join play_token using (app_id, token_id)
  order by place`;

/** $1 app id, $2 token ids, newest first, $3 their chain, $4 what replaced each. A token never changes its chain. */
export const insertPlayTokens = `
  insert into play_token as known (app_id, token_id, chain_id, replaced_by)
  select $1, token_id, $3, replaced_by from unnest($2::uuid[], $4::uuid[]) as t (token_id, replaced_by)
  on conflict (app_id, token_id) do update set replaced_by = coalesce(known.replaced_by, excluded.replaced_by)`;
