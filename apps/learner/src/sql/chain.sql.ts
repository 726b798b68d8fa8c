/**
 * $1 chains. Read without a lock: their events change it, and those are one's own. A row that was kept before its buyers were
 * names its owner in its state alone.
 */
export const selectBuyers = `
  select distinct id
  from chain
  cross join unnest(coalesce(buyers, array[payer, (state::json -> 'chain' ->> 'owner')::uuid])) as id
  where chain_id = any($1::uuid[]) and payer is not null and id is not null`;

/** $1 chains. */
export const selectChains = `select chain_id as id, state from chain where chain_id = any($1::uuid[])`;

/** $1 chains, $2 payers, $3 states, $4 buyers: of each an array as text. */
export const upsertChains = `
  insert into chain (chain_id, payer, state, buyers)
  select chain_id, payer, state, buyers::uuid[]
  from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) as fresh (chain_id, payer, state, buyers)
  on conflict (chain_id) do update set payer = excluded.payer, state = excluded.state, buyers = excluded.buyers`;
