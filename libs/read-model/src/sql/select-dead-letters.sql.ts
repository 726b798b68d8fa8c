const columns = `
  seq, consumer, topic, partition, "offset", key, app_id, message_id, headers, error, attempts, status,
  recorded_at, failed_at, settled_at, settled_by, skipped_version`;

/** $1 group, $2 topic, $3 app, $4 status, each null for any; $5 seq to go on before, or null; $6 limit. */
export const selectDeadLetters = `
  select ${columns} from dead_letter
  where error is not null
    and ($1::text is null or consumer = $1) and ($2::text is null or topic = $2)
    and ($3::int is null or app_id = $3) and ($4::text is null or status = $4)
    and ($5::bigint is null or seq < $5)
  order by seq desc limit $6`;

/**
 * $1 seq, $2 the longest payload that is shown, in bytes. parked are the records that wait behind it: it is the first one
 * of its key that blocks, if it does.
 */
export const selectDeadLetter = `
  select ${columns},
    length(payload) as payload_length,
    case when length(payload) <= $2 then payload end as payload,
    case when blocks then (
      select count(*)::int - 1 from dead_letter behind
      where behind.consumer = letter.consumer and behind.topic = letter.topic and behind.key = letter.key
        and behind.blocks and behind."offset" >= letter."offset"
    ) else 0 end as parked
  from dead_letter letter
  where seq = $1 and error is not null`;

/** $1 app, 0 for none, $2 seq: what was done about it, oldest first. */
export const selectDeadLetterActions = `
  select time, actor, action, after from audit
  where app_id = $1 and action in ('DeadLetterRetried', 'DeadLetterDiscarded') and after->>'id' = $2::text
  order by time, id`;

/** $1 group, $2 topic, each null for any; $3 seq of the first record to go on before, or null; $4 limit. */
export const selectParkedKeys = `
  select consumer, topic, key, first, parked, since from (
    select consumer, topic, key, (array_agg(seq order by "offset"))[1] as first, count(*)::int - 1 as parked,
      min(recorded_at) as since
    from dead_letter
    where blocks and ($1::text is null or consumer = $1) and ($2::text is null or topic = $2)
    group by consumer, topic, key
  ) held
  where $3::bigint is null or first < $3
  order by first desc limit $4`;
