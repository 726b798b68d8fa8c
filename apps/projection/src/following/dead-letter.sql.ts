/** $1 consumer, $2 topic, $3 partition: the keys that the partition's new owner must hold up. */
export const selectBlockedKeys = `
  select distinct key from dead_letter where consumer = $1 and topic = $2 and partition = $3 and blocks`;

/** $1 consumer, $2 topic, $3 keys: those of them that are held up still. */
export const selectStillBlocked = `
  select distinct key from dead_letter where consumer = $1 and topic = $2 and key = any($3::text[]) and blocks`;

/** $1 consumer, $2 topic, $3 partition, $4 time of them all; then an array each, in offset order. */
export const insertDeadLetters = `
  insert into dead_letter (consumer, topic, partition, recorded_at, attempts, key, "offset", headers, payload, blocks, error)
  select $1, $2, $3, $4, 1, * from unnest($5::text[], $6::bigint[], $7::json[], $8::bytea[], $9::boolean[], $10::text[])
  on conflict (consumer, topic, partition, "offset") do nothing`;

/** $1 consumer, $2 topic, $3 partition, $4 and $5 first and last offset: those that are letters, not merely parked. */
export const selectReasons = `
  select "offset", error from dead_letter
  where consumer = $1 and topic = $2 and partition = $3 and "offset" between $4 and $5 and error is not null`;

/** $1 consumer, $2 topic, $3 key: what waits, in order. */
export const selectParked = `
  select seq, key, partition, "offset", headers, payload, recorded_at from dead_letter
  where consumer = $1 and topic = $2 and key = $3 and blocks
  order by seq`;

export const deleteDeadLetter = `delete from dead_letter where seq = $1`;

/** $2 why it failed again. */
export const recordAttempt = `update dead_letter set attempts = attempts + 1, error = $2 where seq = $1`;
