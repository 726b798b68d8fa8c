/** An array each. The service has told each movement once: a second row for one is a defect. */
export const insertMovements = `
  insert into ledger_entry (
    chain_id, movement_id, version, app_id, time, type, store, environment, transaction_id, original_transaction_id,
    product_id, amount, currency, usd, rate, store_share, store_share_currency, refund_of, payer_profile_id, paywall_id,
    placement_id, decision_id)
  select chain_id, movement_id, version, app_id, time, type, store, environment, transaction_id,
    original_transaction_id, product_id, amount::numeric, currency, usd::numeric, rate::numeric,
    store_share::numeric, store_share_currency, refund_of, payer_profile_id, paywall_id, placement_id, decision_id
  from unnest(
    $1::uuid[], $2::text[], $3::int[], $4::int[], $5::timestamptz[], $6::text[], $7::text[], $8::text[], $9::text[],
    $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::text[], $17::text[], $18::text[],
    $19::uuid[], $20::int[], $21::text[], $22::uuid[])
    as movement (chain_id, movement_id, version, app_id, time, type, store, environment, transaction_id,
      original_transaction_id, product_id, amount, currency, usd, rate, store_share, store_share_currency, refund_of,
      payer_profile_id, paywall_id, placement_id, decision_id)`;

/** $1 chains, $2 movements, $3 usd, $4 rates: each movement once. */
export const valueMovements = `
  update ledger_entry set usd = valued.usd::numeric, rate = valued.rate::numeric
  from unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) as valued (chain_id, movement_id, usd, rate)
  where ledger_entry.chain_id = valued.chain_id and ledger_entry.movement_id = valued.movement_id`;

/** $1 chains, $2 movements, $3 shares, $4 their currencies: each movement once. */
export const shareMovements = `
  update ledger_entry set store_share = told.share::numeric, store_share_currency = told.currency
  from unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) as told (chain_id, movement_id, share, currency)
  where ledger_entry.chain_id = told.chain_id and ledger_entry.movement_id = told.movement_id`;

/** An array each: movements of chains that were claimed or attributed after money had moved. */
export const creditMovements = `
  update ledger_entry
  set payer_profile_id = credited.payer_profile_id, paywall_id = credited.paywall_id,
    placement_id = credited.placement_id, decision_id = credited.decision_id
  from unnest($1::uuid[], $2::text[], $3::uuid[], $4::int[], $5::text[], $6::uuid[])
    as credited (chain_id, movement_id, payer_profile_id, paywall_id, placement_id, decision_id)
  where ledger_entry.chain_id = credited.chain_id and ledger_entry.movement_id = credited.movement_id`;
