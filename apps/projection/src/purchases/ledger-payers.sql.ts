/**
 * Two topics write payers: purchases name them, erasures take the names away. Whichever comes last must see the other, so an
 * erasure does its part alone, while purchases do theirs side by side. Held until the transaction ends; taken before the first
 * row of the ledger is touched, lest two wait for each other. The number names the lock, and nothing else.
 */
const lock = 7_003_651;
export const lockLedgerPayers = {
  alone: `select pg_advisory_xact_lock(${lock})`,
  together: { name: 'lock-ledger-payers', text: `select pg_advisory_xact_lock_shared(${lock})` },
} as const;

/** $1 chains: of rows that were just written, those whose payer was erased since the money moved name nobody. */
export const forgetErasedPayers = `
  update ledger_entry set payer_profile_id = null
  from profile
  where chain_id = any($1::uuid[]) and profile.profile_id = payer_profile_id and ledger_entry.time <= erased_at`;
