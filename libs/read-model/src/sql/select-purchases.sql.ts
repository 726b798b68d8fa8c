import { DecisionSuperseded, EventsReported, PaywallServed } from '@paywright/contracts';
import type { LedgerRow } from '../rows.ts';
import { chainsOfDecision } from './chains-of-decisions.sql.ts';

/** $1 profiles: what a profile lost before its erasure is not its own when it returns. */
export const selectChainsOfProfiles = `
  select profile_id::text as profile_id, chain
  from purchase_owner owned join purchase_chain using (chain_id)
  where profile_id = any($1::uuid[]) and (
    lost_version is null or not exists (
      select from profile join purchase_event lost on lost.time <= profile.erased_at
      where profile.profile_id = owned.profile_id
        and lost.chain_id = owned.chain_id and lost.version = owned.lost_version
    )
  )
  order by chain_id`;

/** $1 chains. */
export const selectChains = `
  select chain_id::text as chain_id, chain from purchase_chain where chain_id = any($1::uuid[])`;

/** $1 decision. */
export const selectChainsOfDecision = `
  select chain from purchase_chain
  where chain_id in ${chainsOfDecision('$1')}`;

/** $1 payer, $2 to $4 the position to go on behind or null, $5 limit. */
export const selectLedger = `
  select chain_id, version, time, movement_id, type, store, environment, transaction_id, original_transaction_id,
    product_id, trim_scale(amount)::text as amount, currency, trim_scale(usd)::text as usd,
    trim_scale(rate)::text as rate, refund_of, paywall_id, placement_id, decision_id
  from ledger_entry
  where payer_profile_id = $1 and ($2::timestamptz is null or (time, chain_id, version) < ($2, $3::uuid, $4::int))
  order by time desc, chain_id desc, version desc
  limit $5`;

/** $1 profile: what was until its erasure is nobody's. */
const sinceErasure = (time: string) =>
  `${time} > coalesce((select erased_at from profile where profile.profile_id = $1), '-infinity')`;

/**
 * $1 profile, $2 paywall, $3 placement or null, $4 time: backwards through the profile's decisions to the first that
 * fits, so that the bodies before it are all that is parsed.
 */
export const selectNewestDecision = `
  select decision_id from profile_event served
  where profile_id = $1 and service = 'selection' and type = '${PaywallServed.type}' and time <= $4
    and ${sinceErasure('time')}
    and (data::jsonb -> 'paywallId')::int = $2 and ($3::text is null or data::jsonb ->> 'placementId' = $3)
    and not exists (
      select from profile_event ended
      where ended.decision_id = served.decision_id and ended.type = '${DecisionSuperseded.type}'
    )
  order by version desc
  limit 1`;

/** $1 profile, $2 paywall: the event within the report that told of the first showing. */
export const selectFirstImpression = `
  select event ->> 'eventId' as impression_id
  from unique_impression shown
  join profile_event reported on reported.profile_id = shown.profile_id and reported.time = shown.first_shown_at
  cross join jsonb_array_elements(reported.data::jsonb -> 'events') event
  where shown.profile_id = $1 and shown.paywall_id = $2 and ${sinceErasure('shown.first_shown_at')}
    and reported.service = 'impression' and reported.type = '${EventsReported.type}'
    and event -> 'uniqueImpression' = 'true' and (event -> 'paywallId')::int = $2`;

export interface SelectedLedgerRow {
  chain_id: string;
  version: number;
  time: Date;
  movement_id: string;
  type: LedgerRow['type'];
  store: LedgerRow['store'];
  environment: LedgerRow['environment'];
  transaction_id: string;
  original_transaction_id: string | null;
  product_id: string;
  amount: string;
  currency: string;
  usd: string | null;
  rate: string | null;
  refund_of: string | null;
  paywall_id: number | null;
  placement_id: string | null;
  decision_id: string | null;
}

export const toLedgerRow = (row: SelectedLedgerRow): LedgerRow => ({
  id: row.movement_id,
  time: row.time.getTime(),
  type: row.type,
  store: row.store,
  environment: row.environment,
  transactionId: row.transaction_id,
  originalTransactionId: row.original_transaction_id,
  productId: row.product_id,
  amount: row.amount,
  currency: row.currency,
  usd: row.usd,
  rate: row.rate,
  refundOf: row.refund_of,
  paywallId: row.paywall_id,
  placementId: row.placement_id,
  decisionId: row.decision_id,
});
