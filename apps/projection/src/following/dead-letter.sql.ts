/** $1 consumer, $2 topic, $3 partition: the keys that the partition's new owner must hold up. */
export const selectBlockedKeys = `
  select distinct key from dead_letter where consumer = $1 and topic = $2 and partition = $3 and blocks`;

/** $1 consumer, $2 topic, $3 keys: those of them that are held up still. */
export const selectStillBlocked = `
  select distinct key from dead_letter where consumer = $1 and topic = $2 and key = any($3::text[]) and blocks`;

/** Whether what is kept in a place and what comes there are two records. */
const isAnother = `(dead_letter.key, dead_letter.message_id) is distinct from (excluded.key, excluded.message_id)`;

/**
 * $1 consumer, $2 topic, $3 partition, $4 time of them all; then an array each, in offset order. A record that was done
 * with and comes again, since the log is read from its beginning, is open again if it fails again. Where another record
 * has its place, the log is another one: what that held comes again in its own place.
 */
export const insertDeadLetters = `
  insert into dead_letter (consumer, topic, partition, recorded_at, failed_at, attempts,
    key, "offset", headers, payload, blocks, error, app_id, message_id)
  select $1, $2, $3, $4, case when error is not null then $4::timestamptz end, case when error is null then 0 else 1 end,
    key, "offset", headers, payload, blocks, error, app_id, message_id
  from unnest($5::text[], $6::bigint[], $7::json[], $8::bytea[], $9::boolean[], $10::text[], $11::int[], $12::text[])
    as record (key, "offset", headers, payload, blocks, error, app_id, message_id)
  on conflict (consumer, topic, partition, "offset") do update
  set status = 'open', settled_at = null, settled_by = null, skipped_version = null,
    key = excluded.key, app_id = excluded.app_id, message_id = excluded.message_id,
    headers = excluded.headers, payload = excluded.payload,
    blocks = excluded.blocks, error = excluded.error, failed_at = excluded.failed_at,
    recorded_at = case when ${isAnother} then excluded.recorded_at else dead_letter.recorded_at end,
    attempts = excluded.attempts + case when ${isAnother} then 0 else dead_letter.attempts end
  where dead_letter.status <> 'open' or ${isAnother}`;

/** $1 consumer, $2 topic, $3 partition, $4 and $5 first and last offset: those that are letters, not merely parked. */
export const selectReasons = `
  select "offset", error from dead_letter
  where consumer = $1 and topic = $2 and partition = $3 and "offset" between $4 and $5
    and error is not null and status = 'open'`;

/** $1 consumer, $2 topic, $3 keys: the letters that hold them up. */
export const selectBlocking = `
  select key, headers from dead_letter
  where consumer = $1 and topic = $2 and key = any($3::text[]) and blocks and error is not null`;

/**
 * $1 consumer, $2 topic, $3 key: what waits, in the order of the log. All records of a key are in one partition; seq would not do, since
 * a record that was done with is not given a new one.
 */
export const selectParked = `
  select seq, key, partition, "offset", headers, payload, error, attempts, recorded_at from dead_letter
  where consumer = $1 and topic = $2 and key = $3 and blocks
  order by "offset"`;

/** $1 seqs, $2 time, $3 who: those that were letters are kept as retried, what only waited behind them is gone. */
export const settleRetried = `
  update dead_letter
  set status = 'retried', blocks = false, payload = null, attempts = attempts + 1, settled_at = $2, settled_by = $3
  where seq = any($1::bigint[]) and error is not null`;
export const deleteParked = `delete from dead_letter where seq = any($1::bigint[]) and error is null`;

/** $1 seq, $2 why it failed, $3 when: what was parked is a dead letter from here on. */
export const recordAttempt = `
  update dead_letter set attempts = attempts + 1, error = $2, failed_at = $3 where seq = $1`;

/** $1 consumer, $2 topic, $3 streams: the last version of each that was discarded. */
export const selectSkippedVersions = `
  select key, max(skipped_version) as version from dead_letter
  where consumer = $1 and topic = $2 and key = any($3::text[]) and skipped_version is not null
  group by key`;
