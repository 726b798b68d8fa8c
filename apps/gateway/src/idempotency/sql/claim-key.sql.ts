/**
 * One statement, so that of two simultaneous requests one claims. A row is overwritten if it expired; without
 * an answer and after its lease it is taken over, and keeps its command.
 */
export const claimKey = {
  name: 'claim-key',
  text: `
    INSERT INTO idempotency_key AS held
      (app_id, key, method, path, fingerprint, command_id, attempt, lease_until, expires_at)
    VALUES ($1, $2, $3, $4, $5, $6, 1, $8, $9)
    ON CONFLICT (app_id, key, method, path) DO UPDATE
    SET fingerprint = excluded.fingerprint,
        command_id = CASE WHEN held.expires_at <= $7 THEN excluded.command_id ELSE held.command_id END,
        attempt = held.attempt + 1,
        lease_until = excluded.lease_until,
        expires_at = CASE WHEN held.expires_at <= $7 THEN excluded.expires_at ELSE held.expires_at END,
        status = NULL,
        body = NULL,
        profile_id = NULL,
        follow_up = NULL
    WHERE held.expires_at <= $7
       OR (held.status IS NULL AND held.lease_until <= $7 AND held.fingerprint = excluded.fingerprint)
    RETURNING command_id, attempt, expires_at`,
};
