/**
 * $1 profiles, $2 the versions of their erasures. The tombstone does the same; but what it comes behind, or in place of, may
 * have been compacted away.
 */
export const forgetPersonal = `
  update profile_personal set version = erased.version, fields = '{}', customer_user_id = null
  from unnest($1::uuid[], $2::int[]) as erased (profile_id, version)
  where profile_personal.profile_id = erased.profile_id and profile_personal.version < erased.version`;

/** $1 profiles, $2 when they were erased: what they paid until then was paid by nobody who is known. */
export const forgetPayers = `
  update ledger_entry set payer_profile_id = null
  from unnest($1::uuid[], $2::timestamptz[]) as erased (profile_id, at)
  where ledger_entry.payer_profile_id = erased.profile_id and ledger_entry.time <= erased.at`;
