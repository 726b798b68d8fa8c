/**
 * $1 profile, $2 app, $3 to $6 the position to go on from, itself included, or null, $7 limit. Events of purchases are
 * kept by chain: an owner sees all of them, a former one those until it lost the chain, and whoever reported a purchase
 * without owning it its own report. What was until the profile's erasure belongs to nobody.
 */
export const selectTimeline = `
  select id, type, time, service, stream, version, data
  from (
    select id, type, time, service, profile_id as stream, version, data from profile_event
    where profile_id = $1 and app_id = $2
    union all
    select id, type, time, 'purchase', chain_id, version, data
    from purchase_owner join purchase_event using (chain_id)
    where profile_id = $1 and app_id = $2 and version <= coalesce(lost_version, version)
    union all
    select id, type, time, 'purchase', chain_id, version, data
    from purchase_report join purchase_event using (chain_id, version)
    where profile_id = $1 and app_id = $2 and not exists (
      select from purchase_owner owned
      where owned.profile_id = $1 and owned.chain_id = purchase_report.chain_id
        and version <= coalesce(owned.lost_version, version)
    )
  ) event
  where ($3::timestamptz is null or (time, service, stream, version) <= ($3, $4, $5::uuid, $6))
    and time > coalesce((select erased_at from profile where profile_id = $1), '-infinity')
  order by time desc, service desc, stream desc, version desc
  limit $7`;

export interface EventRow {
  id: string;
  type: string;
  time: Date;
  service: string;
  stream: string;
  version: number;
  data: string;
}
