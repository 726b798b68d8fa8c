/** In small steps, and around rows that somebody holds: it runs beside the requests. */
export const purgeKeys = {
  name: 'purge-keys',
  text: `
    DELETE FROM idempotency_key WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM idempotency_key WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED))`,
};
