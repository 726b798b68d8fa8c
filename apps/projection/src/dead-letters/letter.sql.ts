const columns = `
  seq, consumer, topic, partition, "offset", key, app_id, headers, payload, blocks, error, attempts, status`;

/** $1 seq. */
export const selectLetter = `select ${columns} from dead_letter where seq = $1`;
export const lockLetter = `${selectLetter} for update`;

/**
 * The letter that a message is already: by its place, or by the id of what it carries. $1 consumer, $2 topic,
 * $3 partition, $4 offset, $5 message id or null, $6 key.
 */
export const selectKnownLetter = `
  select seq, topic, "offset" from dead_letter
  where consumer = $1
    and ((topic = $2 and partition = $3 and "offset" = $4) or (message_id = $5 and key is not distinct from $6))
  order by (topic = $2 and partition = $3 and "offset" = $4) desc, seq
  limit 1
  for update`;

/** $1 consumer, $2 topic, $3 partition, $4 offset, $5 message id, $6 key, $7 app, $8 headers, $9 payload, $10 error, $11 time. */
export const insertLetter = `
  insert into dead_letter (consumer, topic, partition, "offset", message_id, key, app_id, headers, payload, error,
    recorded_at, failed_at, blocks, attempts)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11, false, 1)`;

/** It has come back: $1 seq, $2 topic, $3 partition, $4 offset, $5 headers, $6 payload, $7 error, $8 time. */
export const reopenLetter = `
  update dead_letter
  set topic = $2, partition = $3, "offset" = $4, headers = $5, payload = coalesce($6, payload), error = $7, failed_at = $8,
    attempts = attempts + 1, status = 'open', settled_at = null, settled_by = null
  where seq = $1`;

/** $1 seq, $2 status, $3 time, $4 who, $5 the version behind which its stream goes on, or null. */
export const settleLetter = `
  update dead_letter
  set status = $2, blocks = false, settled_at = $3, settled_by = $4, skipped_version = $5
  where seq = $1`;

/** How many there are by group: those that are open, and those that wait behind them. */
export const countLetters = `
  select consumer, count(*) filter (where error is not null)::int as open, count(*) filter (where error is null)::int as parked
  from dead_letter where status = 'open' group by consumer`;

/** $1 consumer: how many keys of each topic are held up. What blocks is open: told to the planner, which has an index of it. */
export const countBlockedKeys = `
  select topic, count(distinct key)::int as keys from dead_letter
  where status = 'open' and consumer = $1 and blocks group by topic`;

/**
 * Deletes some that were settled before a time, the oldest first. $1 time, $2 the projection's consumer: what was discarded of
 * its own stays, since a rebuild of the read model discards it again, and a stream goes on behind what it lacks. $3 how many
 * at most.
 */
export const forgetSettled = `
  delete from dead_letter where seq = any(array(
    select seq from dead_letter
    where status = any(array['retried', 'discarded']) and settled_at < $1 and not (status = 'discarded' and consumer = $2)
    order by settled_at limit $3 for update skip locked))`;

/** $1 app, 0 for none; $2 id of the command: what it was answered. */
export const selectAction = `select after from audit where app_id = $1 and id = $2`;
