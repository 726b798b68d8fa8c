import { groups } from '@paywright/contracts';
import { schemas } from './schemas.ts';

const [live, next] = [schemas.live, schemas.next];
const samePlace = `(next.consumer, next.topic, next.partition, next."offset")
  = (live.consumer, live.topic, live.partition, live."offset")`;

/**
 * In the one that is read somebody gave these up, which the next one could not fold in either. In order of the log, as those of
 * one key come one after the other.
 */
export const selectDiscards = `
  select next.seq, live.settled_at, live.settled_by
  from ${next}.dead_letter next join ${live}.dead_letter live on ${samePlace}
  where next.status = 'open' and next.error is not null and live.status = 'discarded'
  order by next.topic, next.partition, next."offset"`;

/** What the next one cannot fold in, while the one that is read shows it. */
export const selectNewLetters = `
  select next.topic, next.partition, next."offset", next.error
  from ${next}.dead_letter next left join ${live}.dead_letter live on ${samePlace} and live.status = 'open'
  where next.status = 'open' and next.error is not null and live.seq is null
    and exists (
      select from ${live}.projection_offset
      where (projection, topic, partition) = (next.consumer, next.topic, next.partition)
        and next_offset > next."offset")
  order by next.topic, next.partition, next."offset"
  limit 10`;

/** Out of the way of the ids that people know. */
export const clearIds = `update ${next}.dead_letter set seq = -seq`;

/** The next one has folded in by itself what is a dead letter still in the one that is read: its missing version came late. */
const isHealed = `(next.status = 'retried' and live.status = 'open')`;

/** Of what is a dead letter in both: its id, and what became of it. Why it is one, the next one knows better. */
export const adoptLetters = `
  update ${next}.dead_letter next
  set seq = live.seq, attempts = live.attempts, recorded_at = live.recorded_at,
    failed_at = coalesce(live.failed_at, next.failed_at), skipped_version = live.skipped_version,
    status = case when ${isHealed} then next.status else live.status end,
    settled_at = case when ${isHealed} then next.settled_at else live.settled_at end,
    settled_by = case when ${isHealed} then next.settled_by else live.settled_by end
  from ${live}.dead_letter live where ${samePlace}`;

/**
 * The dead letters of other groups, and those of the projection that were done with. What the next one has folded in, and
 * nobody had retried, is retried by that; what was parked behind it is gone. $1 time.
 */
export const carryLetters = `
  insert into ${next}.dead_letter (seq, consumer, key, topic, partition, "offset", app_id, message_id, headers, recorded_at,
    failed_at, skipped_version, error, payload, blocks, attempts, status, settled_at, settled_by)
  select seq, consumer, key, topic, partition, "offset", app_id, message_id, headers, recorded_at, failed_at, skipped_version,
    error,
    case when mended then null else payload end,
    case when mended then false else blocks end,
    case when mended then attempts + 1 else attempts end,
    case when mended then 'retried' else status end,
    case when mended then $1::timestamptz else settled_at end,
    case when mended then 'rebuild' else settled_by end
  from (
    select *, consumer = '${groups.projection}' and status = 'open' as mended from ${live}.dead_letter
  ) live
  where not (mended and error is null)
  on conflict (consumer, topic, partition, "offset") do nothing`;

/** Ids go on behind those that were given, so that none is given twice. */
export const goOnWithIds = `
  select setval('${next}.dead_letter_seq_seq', last_value, is_called) from ${live}.dead_letter_seq_seq`;
export const giveIds = `
  update ${next}.dead_letter set seq = given.seq
  from (
    select old, nextval('${next}.dead_letter_seq_seq') as seq
    from (select seq as old from ${next}.dead_letter where seq < 0 order by seq desc) as waiting
  ) given
  where dead_letter.seq = given.old`;

/** What people did about dead letters is in no topic of events. $1 the actions. */
export const carryAudit = `
  insert into ${next}.audit select * from ${live}.audit where action = any($1::text[])
  on conflict (app_id, id) do nothing`;

/**
 * Emptied rows guard against what was known of a person before. The tombstone that emptied one may have been compacted away,
 * and the row is in no topic then.
 */
export const carryEmptied = `
  insert into ${next}.profile_personal as next
  select * from ${live}.profile_personal where fields = '{}'
  on conflict (profile_id) do update
  set version = excluded.version, fields = excluded.fields, customer_user_id = excluded.customer_user_id
  where next.version <= excluded.version`;

/** What others than the owner may do with schema, tables and sequences, as statements that allow it in the next one too. */
export const selectGrants = `
  select format('grant %s on %s to %s%s', privilege_type, target,
    case grantee when 0 then 'public' else quote_ident(pg_get_userbyid(grantee)) end,
    case when is_grantable then ' with grant option' else '' end) as statement
  from (
    select 'schema ${next}' as target, nspowner as owner, nspacl as acl
    from pg_namespace where nspname = '${live}'
    union all
    select format('%s ${next}.%I', case relkind when 'S' then 'sequence' else 'table' end, relname), relowner, relacl
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname = '${live}' and relkind in ('r', 'S') and to_regclass(format('${next}.%I', relname)) is not null
  ) as kept, aclexplode(acl)
  where grantee <> owner`;
