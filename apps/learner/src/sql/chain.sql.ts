/** $1 chains. Read without a lock: a payer, once there, is there for ever. */
export const selectPayers = `select chain_id as id, payer from chain where chain_id = any($1::uuid[]) and payer is not null`;

/** $1 chains. */
export const selectChains = `select chain_id as id, state from chain where chain_id = any($1::uuid[])`;

/** $1 chains, $2 payers, $3 states. */
export const upsertChains = `
  insert into chain (chain_id, payer, state)
  select * from unnest($1::uuid[], $2::uuid[], $3::text[])
  on conflict (chain_id) do update set payer = excluded.payer, state = excluded.state`;
