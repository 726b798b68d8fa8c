/** No later than now by the one clock that all instances have. @param ahead by how much (ms) time is moved, as a parameter */
const noLaterThanNow = (time: string, ahead: string) =>
  `least(to_timestamp(${time}::float8 / 1000), clock_timestamp() + ${ahead}::float8 * interval '1 ms')`;

/**
 * Takes the turn at a history that was read to $3 at most (ms): $1 app id, $2 which history, $4 now, $5 until when nobody
 * else takes it, $6 by how much time is moved (ms all). One met for the first time counts as read to $3.
 * @returns how far it is read; no row: not now
 */
export const claimHistory = `
  insert into store_history as known (app_id, store, read_to, claimed_until)
  values ($1, $2, ${noLaterThanNow('$3', '$6')}, to_timestamp($5::float8 / 1000))
  on conflict (app_id, store) do update set claimed_until = excluded.claimed_until
  where known.read_to <= to_timestamp($3::float8 / 1000)
    and coalesce(known.claimed_until, '-infinity') <= to_timestamp($4::float8 / 1000)
  returning extract(epoch from read_to) * 1000 as read_to`;

/**
 * $1 app id, $2 which history, $3 read to, $4 by how much time is moved (ms both). Never goes back, nor into the future:
 * an instance whose clock is ahead has read nothing of what is yet to happen.
 */
export const updateReadTo = `
  update store_history set read_to = greatest(read_to, ${noLaterThanNow('$3', '$4')}) where app_id = $1 and store = $2`;

/** $1 app id, $2 which history, $3 when the next may take the turn (ms). */
export const updateClaimedUntil = `
  update store_history set claimed_until = to_timestamp($3::float8 / 1000) where app_id = $1 and store = $2`;
