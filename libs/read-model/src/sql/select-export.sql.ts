/** What was until the profile's erasure belongs to nobody. */
const isSinceErasure = (time: string) =>
  `${time} > coalesce((select erased_at from profile where profile_id = $1), '-infinity')`;

/** $1 profile: when it was erased last, if it was. */
export const selectErasedAt = `select erased_at from profile where profile_id = $1`;

/** $1 profile, $2 app. In the schema of purchase validation, which finds by it whose a purchase is. */
export const selectStripeCustomers = `
  select customer_id from purchase_validation.stripe_customer where profile_id = $1 and app_id = $2 order by customer_id`;

/** $1 profile, $2 app, $3 service: the version of its last event. */
export const selectLastVersion = `
  select version from profile_event
  where profile_id = $1 and app_id = $2 and service = $3
  order by version desc limit 1`;

/**
 * $1 profile, $2 app, $3 service, $4 version to go on behind, $5 how many versions: fewer events where some were discarded.
 * So a page is a range, and small by any plan: from the key alone, a planner without statistics reads all that is left for
 * every page (25 s in place of 4 for 100,000 events).
 */
export const selectEvents = `
  select id, type, time, service, profile_id as stream, version, data from profile_event
  where profile_id = $1 and app_id = $2 and service = $3 and version > $4::int and version <= $4::int + $5::int
  order by version`;

/**
 * $1 profile, $2 app, $3 and $4 chain and version to go on behind, $5 limit. Of a chain that it owns all events, of one
 * that it lost those until then, of another's its own reports.
 */
export const selectPurchaseEvents = `
  select id, type, time, 'purchase' as service, chain_id as stream, version, data from purchase_event event
  where app_id = $2 and ${isSinceErasure('time')}
    and chain_id in (
      select chain_id from purchase_owner where profile_id = $1
      union select chain_id from purchase_report where profile_id = $1
    )
    and (
      exists (
        select from purchase_owner owned
        where owned.profile_id = $1 and owned.chain_id = event.chain_id
          and event.version <= coalesce(owned.lost_version, event.version)
      )
      or exists (
        select from purchase_report reported
        where reported.profile_id = $1 and reported.chain_id = event.chain_id and reported.version = event.version
      )
    )
    and (chain_id, version) > ($3::uuid, $4::int)
  order by chain_id, version
  limit $5`;

/** $1 profile, $2 app: as many rows as the app has paywalls. */
export const selectImpressions = `
  select paywall_id, placement_id, decision_id, first_shown_at from unique_impression
  where profile_id = $1 and app_id = $2 and ${isSinceErasure('first_shown_at')}
  order by paywall_id`;
