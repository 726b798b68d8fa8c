export const findKey = {
  name: 'find-key',
  text: `
    SELECT fingerprint, lease_until, status, body, profile_id, follow_up FROM idempotency_key
    WHERE app_id = $1 AND key = $2 AND method = $3 AND path = $4 AND expires_at > $5`,
};
