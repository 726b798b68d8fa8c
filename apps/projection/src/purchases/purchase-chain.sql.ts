/** Of the writer's own partition, so nobody else changes them before the transaction ends. $1 chains. */
export const selectChains = `
  select chain_id::text as stream, app_id, version, chain from purchase_chain where chain_id = any($1::uuid[])`;

/** $1 chains, $2 decisions: what chains came of when they were bought again. Each is told once, and then it is there. */
export const insertLaterDecisions = `
  insert into later_decision (chain_id, decision_id) select * from unnest($1::uuid[], $2::uuid[])
  on conflict do nothing`;

/** An array each, sorted by chain. The guard has been checked on reading. */
export const upsertChains = `
  insert into purchase_chain (chain_id, app_id, version, decision_id, chain)
  select * from unnest($1::uuid[], $2::int[], $3::int[], $4::uuid[], $5::text[])
  on conflict (chain_id) do update
  set version = excluded.version, decision_id = excluded.decision_id, chain = excluded.chain`;
